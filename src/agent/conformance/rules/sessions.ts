import { randomUUID } from 'node:crypto';
import { advise, deviates, faultless, notRun } from '../finding.ts';
import { listOf, pick, show } from '../json.ts';
import type { Rule, Subject } from '../rule.ts';
import { inspect } from '../shape.ts';
import { AUTH_REQUIRED, told } from '../walk.ts';
import type { Walk } from '../walk.ts';

const opened: Rule = {
  id: 'session.new',
  title: 'session/new gives the id of a session',
  spec: 'session-setup#creating-a-session',
  check: async (walk) => {
    const reply = await walk.newSession();
    if (reply.kind === 'error' && reply.code === AUTH_REQUIRED) {
      const offered = listOf(pick(walk.agent, 'authMethods')).length > 0;
      if (!offered) advise(`it wants a sign-in and offers no way to: ${told(reply)}`);
      notRun('needs sign-in');
    }
    if (reply.kind !== 'result') deviates(told(reply));
    walk.opened = reply.value;
    faultless(walk.current?.watch.extras(reply.value, 'NewSessionResponse', reply.frame) ?? []);
  },
};

const distinct: Rule = {
  id: 'session.distinct',
  title: 'Two sessions have two ids',
  spec: 'session-setup#session-id',
  check: async (walk) => {
    const first = await walk.session();
    const second = await walk.otherSession();
    if (first === second) deviates(`both have the id ${show(first)}`);
  },
};

const relative: Rule = {
  id: 'session.relative-cwd',
  title: 'A session in a folder that is no absolute path is refused',
  spec: 'session-setup#working-directory',
  check: async (walk) => {
    await walk.session();
    const reply = await walk.ask('session/new', { cwd: 'folder', mcpServers: [] });
    const id = reply.kind === 'result' ? pick(reply.value, 'sessionId') : undefined;
    if (typeof id === 'string') walk.knows(id);
    if (reply.kind !== 'error') advise(told(reply));
  },
};

const unknownPrompt: Rule = {
  id: 'session.unknown',
  title: 'A prompt for a session that does not exist is answered with an error',
  spec: 'prompt-turn#1-user-message',
  // An agent that does not look at the id would answer it, for money.
  prompts: true,
  check: async (walk) => {
    await walk.session();
    const prompt = [{ type: 'text', text: 'This session does not exist.' }];
    const reply = await walk.ask('session/prompt', { sessionId: unknown(walk), prompt });
    if (reply.kind !== 'error') deviates(told(reply));
  },
};

const idleCancel: Rule = {
  id: 'session.idle-cancel',
  title: 'Cancelling where nothing runs is no error',
  spec: 'prompt-turn#cancellation',
  check: async (walk) => {
    const sessionId = await walk.session();
    const peer = await walk.ready();
    peer.notify('session/cancel', { sessionId });
    if (!(await peer.lives(walk.timeout))) {
      walk.doubtful = true;
      deviates(peer.gone ?? 'after that it answers nothing any more');
    }
    const [answer] = peer.stray;
    if (answer !== undefined) deviates(`the notification was answered: ${told(answer)}`);
  },
};

const mode: Rule = {
  id: 'session.mode',
  title: 'The current mode is one of its modes, and can be set',
  spec: 'session-modes',
  check: async (walk) => {
    const sessionId = await walk.session();
    const modes = pick(walk.opened, 'modes') ?? null;
    if (modes === null) notRun('it has no modes');
    const modeId = pick(modes, 'currentModeId');
    const ids = listOf(pick(modes, 'availableModes')).map((one) => pick(one, 'id'));
    if (!ids.includes(modeId)) deviates(`the current mode ${show(modeId)} is none of ${show(ids)}`);
    const reply = await walk.ask('session/set_mode', { sessionId, modeId });
    if (reply.kind !== 'result') deviates(told(reply));
  },
};

const configOption: Rule = {
  id: 'session.config-option',
  title: 'Setting an option is answered with the complete list of them',
  spec: 'session-config-options#setting-a-config-option',
  check: async (walk) => {
    const sessionId = await walk.session();
    const options = listOf(pick(walk.opened, 'configOptions'));
    const [option] = options;
    if (option === undefined) notRun('it has no options');
    if (options.some((one) => pick(one, 'type') === 'boolean')) {
      deviates('there is a boolean option, though the client has not offered to show one');
    }
    const value = pick(option, 'currentValue');
    const params = { sessionId, configId: pick(option, 'id'), value };
    const reply = await walk.ask('session/set_config_option', params);
    if (reply.kind !== 'result') deviates(told(reply));
    const peer = await walk.ready();
    faultless(peer.watch.extras(reply.value, 'SetSessionConfigOptionResponse', reply.frame));
    const count = listOf(pick(reply.value, 'configOptions')).length;
    if (count === 0) deviates('the list is empty');
  },
};

const list: Rule = {
  id: 'session.list',
  title: 'session/list tells sessions, and those of one folder',
  spec: 'session-list#listing-sessions',
  check: async (walk) => {
    advertised(walk, 'sessionCapabilities', 'list');
    await walk.session();
    const sessions = await listed(walk, {});
    const nowhere = `${walk.options.scratch}-nowhere`;
    const here = await listed(walk, { cwd: nowhere });
    if (here.length > 0) deviates(`${here.length} sessions in a folder that has none`);
    const relatives = sessions
      .map((one) => String(pick(one, 'cwd')))
      .filter((cwd) => !/^(\/|\w:|\\)/.test(cwd));
    if (relatives.length > 0) deviates(`the folder ${show(relatives[0])} is not absolute`);
  },
};

const cursor: Rule = {
  id: 'session.list-cursor',
  title: 'A cursor that it never gave out is refused',
  spec: 'session-list#pagination',
  check: async (walk) => {
    advertised(walk, 'sessionCapabilities', 'list');
    await walk.session();
    const reply = await walk.ask('session/list', { cursor: 'parley-no-such-cursor' });
    if (reply.kind !== 'error') advise(told(reply));
  },
};

const close: Rule = {
  id: 'session.close',
  title: 'session/close closes a session',
  spec: 'session-setup#closing-active-sessions',
  check: async (walk) => {
    advertised(walk, 'sessionCapabilities', 'close');
    const reply = await walk.ask('session/close', { sessionId: await walk.otherSession() });
    if (reply.kind !== 'result') deviates(told(reply));
  },
};

const remove: Rule = {
  id: 'session.delete',
  title: 'A deleted session is listed no more, and deleting it again is no error',
  spec: 'session-delete',
  check: async (walk) => {
    advertised(walk, 'sessionCapabilities', 'delete');
    const sessionId = await walk.otherSession();
    const reply = await walk.ask('session/delete', { sessionId });
    if (reply.kind !== 'result') deviates(told(reply));
    if (offers(walk, 'sessionCapabilities', 'list')) {
      const left = await listed(walk, { cwd: walk.options.scratch });
      if (left.some((one) => pick(one, 'sessionId') === sessionId)) deviates('it is still listed');
    }
    const again = await walk.ask('session/delete', { sessionId });
    if (again.kind !== 'result') advise(`deleted again: ${told(again)}`);
  },
};

/** Opening a session again that never was. */
function unknownSession(name: 'load' | 'resume', spec: string, ...capability: string[]): Rule {
  return {
    id: `session.${name}-unknown`,
    title: `session/${name} of a session that does not exist is answered with an error`,
    spec,
    check: async (walk) => {
      advertised(walk, ...capability);
      await walk.session();
      const params = { sessionId: unknown(walk), cwd: walk.options.scratch, mcpServers: [] };
      const reply = await walk.ask(`session/${name}`, params);
      if (reply.kind !== 'error') deviates(told(reply));
    },
  };
}

const fork: Rule = {
  id: 'session.fork',
  title: 'session/fork, which only the draft has, gives a new session',
  spec: 'draft/schema#session-fork',
  check: async (walk) => {
    advertised(walk, 'sessionCapabilities', 'fork');
    const sessionId = await walk.session();
    const params = { sessionId, cwd: walk.options.scratch, mcpServers: [] };
    const reply = await walk.ask('session/fork', params);
    const id = reply.kind === 'result' ? pick(reply.value, 'sessionId') : undefined;
    if (typeof id === 'string') walk.knows(id);
    if (typeof id !== 'string' || id === sessionId) advise(told(reply));
  },
};

export const sessions: Subject = {
  name: 'Sessions',
  rules: [
    opened,
    distinct,
    relative,
    unknownPrompt,
    idleCancel,
    mode,
    configOption,
    list,
    cursor,
    unknownSession('load', 'session-setup#loading-sessions', 'loadSession'),
    unknownSession('resume', 'session-setup#resuming-sessions', 'sessionCapabilities', 'resume'),
    fork,
    close,
    remove,
  ],
};

/** Whether a capability is there; `false`, `null` and none at all mean that it is not. */
export function offers(walk: Walk, ...capability: string[]): boolean {
  const found = walk.capability(...capability) ?? false;
  return found !== false;
}

/** Ends the check where the agent does not offer what it is about. */
export function advertised(walk: Walk, ...capability: string[]): void {
  if (!offers(walk, ...capability)) notRun(`it does not offer ${capability.join('.')}`);
}

/** An id like one of its own, which it has given to nobody. */
function unknown(walk: Walk): string {
  const id = randomUUID();
  walk.knows(id);
  return id;
}

async function listed(
  walk: Walk,
  params: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const reply = await walk.ask('session/list', params);
  if (reply.kind !== 'result') deviates(told(reply));
  walk.current?.watch.extras(reply.value, 'ListSessionsResponse', reply.frame);
  faultless(inspect(reply.value, 'ListSessionsResponse').wrong);
  return listOf(pick(reply.value, 'sessions'));
}
