import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive, open, prompt, until } from './wireAgent.ts';

/** Prompts of the scripted agent. */
function steps(...list: readonly (readonly unknown[])[]): string {
  return JSON.stringify(list);
}

test('a chat that leaves very many requests open is refused more, and no other chat of its agent', async () => {
  const waiting: (() => void)[] = [];
  let crowded = '';
  await drive(
    'scripted',
    async (agent) => {
      crowded = await open(agent);
      const request = { cwd: process.cwd(), mcpServers: [] };
      const { sessionId: calm } = await agent.connection.newSession(request);
      await prompt(agent, crowded, steps(['flood', '/crowd', 3_000]));
      const answers = (): string[] =>
        agent.lines.filter(({ direction }) => direction === 'send').map(({ raw }) => raw);
      const refused = (): string[] => answers().filter((raw) => raw.includes('Too many requests'));
      await until(() => refused().length + waiting.length === 3_000, 'all of the flood is heard');
      assert.ok(waiting.length >= 100, 'a crowd of a fair size is served');
      assert.ok(refused().length >= 1_000, 'and the rest is refused');
      assert.match(refused()[0] ?? '', /"code":-32603/);

      await prompt(agent, calm, steps(['read', '/calm/1'], ['read', '/calm/2']));
      assert.equal(agent.said(), '"text of /calm/1""text of /calm/2"', 'the other chat is served');

      await prompt(agent, crowded, steps(['read', '/one/more']));
      assert.match(agent.said(), /Too many requests/, 'the first chat waits for its own');

      for (const settle of waiting.splice(0)) settle();
      const once = crowded;
      crowded = 'nobody';
      await prompt(agent, once, steps(['read', '/and/again']));
      assert.match(
        agent.said(),
        /"text of \/and\/again"$/,
        'room that is given back is there again',
      );
    },
    {
      handlers: {
        readTextFile: ({ sessionId, path }) =>
          sessionId === crowded
            ? new Promise((resolve) => {
                waiting.push(() => {
                  resolve({ content: '' });
                });
              })
            : Promise.resolve({ content: `text of ${path}` }),
      },
    },
  );
});
