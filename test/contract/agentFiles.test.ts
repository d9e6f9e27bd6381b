import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { ALL_FILES, Driver, choose, makeFolder, until } from './agentDriver.ts';

const folder = makeFolder({
  'a.ts': 'export const a = 1;\n',
  '.hidden/b.ts': 'export const b = 2;\n',
});
const outside = makeFolder({ 'secret.txt': 'the secret words\n' });
fs.symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'link.txt'));
fs.symlinkSync(outside, path.join(folder, 'linked'));

after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(outside, { recursive: true, force: true });
});

describe('the reference agent and files', () => {
  test('reads by itself without the client’s help, and then does not write', async () => {
    const driver = await Driver.start({});
    const id = await driver.newSession(folder);
    await driver.prompt(id, 'explain a.ts');
    assert.match(driver.said(id), /`a`/);
    await driver.prompt(id, '/edit a.ts');
    assert.match(driver.said(id), /does not offer to write files/);
    assert.deepEqual([driver.reads, driver.writes, driver.permissions], [[], [], []]);
    assert.equal(fs.readFileSync(path.join(folder, 'a.ts'), 'utf8'), 'export const a = 1;\n');
    await driver.stop();
  });

  for (const [name, capabilities] of [
    ['through the client', ALL_FILES],
    ['by itself', {}],
  ] as const) {
    test(`refuses every path outside the session’s folder, ${name}`, async () => {
      const driver = await Driver.start(capabilities);
      const id = await driver.newSession(folder);
      const secret = path.join(outside, 'secret.txt');
      for (const words of [
        '/read ../../etc/passwd',
        '/read /etc/passwd',
        `/read ${secret}`,
        `explain ${secret}`,
        `/edit ${secret}`,
        '/edit ../x.txt',
        '/read link.txt',
        '/read linked/secret.txt',
        '/new linked/new.txt',
        `/new ../${path.basename(outside)}/new.txt`,
        '/read src/../../../../etc/passwd',
      ]) {
        const before = driver.said(id).length;
        assert.equal((await driver.prompt(id, words)).stopReason, 'end_turn', words);
        assert.match(driver.said(id).slice(before), /outside this chat's folder/, words);
      }
      await driver.prompt(id, [
        { type: 'text', text: 'explain' },
        { type: 'resource_link', name: 'passwd', uri: 'file:///etc/passwd' },
      ]);
      await driver.prompt(id, 'find secret');
      assert.doesNotMatch(driver.said(id), /root:|the secret words/);
      assert.deepEqual([driver.reads, driver.writes, driver.permissions], [[], [], []]);
      await driver.stop();
    });
  }

  test('answers hostile prompts in a few words', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    for (const words of [
      'x'.repeat(1024 * 1024),
      '/'.repeat(1024 * 1024),
      `/read ${'a/'.repeat(100_000)}b`,
      `find ${'('.repeat(10_000)}`,
      `please ${'please '.repeat(10_000)}`,
      'explain a.ts\0',
      '/read a.ts\0.txt',
      '\0\0\0',
      '',
      '\u202e\u2066 /help \ud800',
      '/read ~/.ssh/id_rsa',
      '/edit',
      '/read .',
      '/stream -5',
      '/stream 1e9x',
      'rename a to $& in a.ts',
      `rename ${'a'.repeat(100_000)} b`,
      `/symbol ${'\`|*<b>'.repeat(1_000)}`,
      `/licence ${'../'.repeat(500)}`,
      `/files ${'x/'.repeat(50_000)}`,
      '/skeleton',
      '/skeleton .',
      '/licence ?',
      `/title ${'\u202e'.repeat(5_000)}x`,
      '/usage 1e308 NaN Infinity',
      '/usage 1 1 1e400',
      `what's in ${'`'.repeat(5_000)}?`,
      '¿'.repeat(1_000),
    ]) {
      const before = driver.said(id).length;
      const turn = driver.prompt(id, words);
      const settled = turn.then(() => true);
      void until('a permission', () => driver.permissions.shift()).then(
        (open) => {
          open.answer(choose(open, 'reject_once'));
        },
        () => undefined,
      );
      assert.equal(await settled, true);
      const said = driver.said(id).slice(before);
      assert.ok(said.length > 0 && said.length < 20_000, `${words.slice(0, 40)}: ${said.length}`);
    }
    assert.equal(driver.log, '');
    assert.deepEqual(driver.writes, []);
    await driver.stop();
  });
});
