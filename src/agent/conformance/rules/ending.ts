import { advise } from '../finding.ts';
import type { Rule, Subject } from '../rule.ts';
import { watched } from './watched.ts';

const inputEnd: Rule = {
  id: 'end.input',
  title: 'It exits when its stdin ends',
  spec: 'transports#stdio',
  when: 'late',
  check: async (walk) => {
    // What a session has started is to end, too.
    await walk.newSession();
    const peer = await walk.ready();
    peer.endInput();
    if (!(await peer.exits(walk.timeout))) advise(`it still runs after ${walk.timeout / 1000} s`);
  },
};

const nobodyLeft = watched(
  'left',
  {
    id: 'end.children',
    title: 'It leaves no process behind when it exits',
    spec: 'transports#stdio',
  },
  { advice: true },
);

export const ending: Subject = { name: 'The end', rules: [inputEnd, nobodyLeft] };
