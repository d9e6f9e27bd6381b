import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Cancelled } from '../../src/base/errors.ts';
import { ErrorCode, RequestError } from '../../src/protocol/errors.ts';
import { TERMINAL_OUTPUT_LIMIT } from '../../src/thread/thread.ts';
import { eventually } from '../fakes/eventually.ts';
import { isRunning, NEVER, startTerminals } from './terminalRunner.ts';

const skip = process.platform === 'win32';

function inWords(words: RegExp) {
  return (error: unknown): boolean =>
    error instanceof RequestError &&
    error.code === ErrorCode.invalidParams &&
    words.test(error.message);
}

describe('a terminal', { skip }, () => {
  const own = startTerminals();
  const { set, run, whole, of, folder } = own;
  after(() => {
    own.dispose();
  });

  test('keeps stdout and stderr in the order in which they were written', async () => {
    const script = 'for (let n = 0; n < 2000; n += 1) fs.writeSync(1 + (n % 2), n + "\\n");';
    const { output } = await whole(process.execPath, { args: ['-e', script] });
    assert.equal(output, Array.from({ length: 2_000 }, (_, n) => `${n}\n`).join(''));
    assert.deepEqual(own.warnings, []);
  });

  test('is a pipe that a program can open by name', async () => {
    const { output } = await whole('echo a > /dev/stderr; echo b > /dev/stdout; echo c');
    assert.equal(output, 'a\nb\nc\n');
  });

  test('has nothing to read', async () => {
    assert.equal((await whole('cat; echo end')).output, 'end\n');
  });

  test('puts characters together that come in pieces, and shows what is not UTF-8', async () => {
    const script = String.raw`printf '\346\227'; sleep 0.05; printf '\245|\360'; sleep 0.05; printf '\237\231\202|\377|\303'`;
    assert.equal((await whole(script)).output, '日|🙂|\ufffd|\ufffd');
  });

  test('starts a program with its arguments as they are, without a shell', async () => {
    const args = ['$HOME', '`id`', 'a b', "it's", '"', '', '*', '&&', '日本'];
    const { output } = await whole(process.execPath, {
      args: ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', ...args],
    });
    assert.deepEqual(JSON.parse(output), args);
  });

  test('runs a line in the shell', async () => {
    const { output } = await whole('A=1; echo "$A $(echo two)" | tr 1 one && echo three');
    assert.equal(output, 'o two\nthree\n');
  });

  test('runs in its folder with its variables over ours', async () => {
    const sub = path.join(folder, 'a folder');
    fs.mkdirSync(sub);
    const env = [{ name: 'OWN', value: 'x y' }];
    const { output } = await whole('pwd; echo "$OWN|$HOME|${ELECTRON_RUN_AS_NODE-none}"', {
      cwd: sub,
      env,
    });
    assert.equal(output, `${sub}\nx y|${process.env['HOME'] ?? ''}|none\n`);
  });

  test('tells how a command ended', async () => {
    assert.deepEqual((await whole('true')).exit, { code: 0, signal: null });
    const failed = await whole('exit 37 ');
    assert.deepEqual([failed.exit, failed.exitStatus], [{ code: 37, signal: null }, failed.exit]);
    assert.deepEqual((await whole('kill -9 $$')).exit, { code: null, signal: 'SIGKILL' });
  });

  test('is read to the end before anybody hears of the exit', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { id, output } = await whole('head -c 300000 /dev/zero | tr "\\0" x; echo end');
      assert.equal(output.length, 300_004);
      assert.equal(of(id, 'ended')[0]?.text.endsWith('xend\n'), true);
    }
  });

  test('answers everybody who waits, and forgets who does not want to any more', async () => {
    const id = await run('read x < go; exit 3', { cwd: fifo('go') });
    const stopped = new AbortController();
    const waiters = Array.from({ length: 20 }, () => set.waitForExit(id, NEVER));
    const given = set.waitForExit(id, stopped.signal);
    stopped.abort();
    await assert.rejects(given, Cancelled);
    assert.equal(set.output(id).exitStatus, null);
    fs.writeFileSync(path.join(folder, 'go'), 'x\n');
    const exits = await Promise.all(waiters);
    assert.deepEqual(exits, Array(20).fill({ code: 3, signal: null }));
    assert.deepEqual(await set.waitForExit(id, NEVER), { code: 3, signal: null });
    await assert.rejects(set.waitForExit(id, stopped.signal), Cancelled);
  });

  test('does not wait for a child that holds the output, and lets it live', async () => {
    const before = performance.now();
    const { id, exit, output } = await whole('sleep 60 & echo $!; exit 4');
    assert.deepEqual(exit, { code: 4, signal: null });
    assert.ok(performance.now() - before < 5_000);
    assert.ok(isRunning(Number(output)));
    await set.release(id);
    assert.ok(!isRunning(Number(output)));
  });

  test('does not wait for ever for a child that goes on printing', async () => {
    const before = performance.now();
    const { id, exit } = await whole('(while :; do echo x; sleep 0.01; done) & exit 0');
    assert.deepEqual(exit, { code: 0, signal: null });
    assert.ok(performance.now() - before < 8_000);
    const had = set.output(id).output.length;
    await eventually('the child printed more', () => set.output(id).output.length > had);
    assert.equal(of(id, 'ended').length, 1);
    await set.kill(id);
  });

  test('gives the last bytes that the agent wants, whole characters and sequences', async () => {
    const line = String.raw`printf '%s\033[31mred\033[0m 日本' begin`;
    const { output, truncated } = await whole(line, { limit: 13 });
    assert.deepEqual([output, truncated], ['ed\x1b[0m 日本', true]);
    for (const [limit, end] of [
      [12, 'd\x1b[0m 日本'],
      [11, '\x1b[0m 日本'],
      [10, ' 日本'],
      [7, ' 日本'],
      [6, '日本'],
      [5, '本'],
      [2, ''],
    ] as const) {
      assert.equal((await whole(line, { limit })).output, end, String(limit));
    }
    const none = await whole('echo something', { limit: 0 });
    assert.deepEqual([none.output, none.truncated], ['', true]);
    assert.equal(set.fullOutput(none.id), 'something\n');
    const exact = await whole('printf 12345', { limit: 5 });
    assert.deepEqual([exact.output, exact.truncated], ['12345', false]);
  });

  test('tells the chat of its start, its output soon, and its end once', async () => {
    const id = await run('echo one; read x < go2; echo two', { cwd: fifo('go2') });
    await eventually('the first line was told', () => of(id, 'printed').length === 1);
    fs.writeFileSync(path.join(folder, 'go2'), 'x\n');
    await set.waitForExit(id, NEVER);
    const kinds = own.heard.filter((each) => each.id === id).map(({ kind, text }) => [kind, text]);
    assert.deepEqual(kinds, [
      ['started', 'echo one; read x < go2; echo two'],
      ['printed', 'one\n'],
      ['printed', 'two\n'],
      ['ended', 'one\ntwo\n'],
    ]);
  });

  test('is copied whole to who taps it, before, while and after it runs', async () => {
    const id = await run('echo one; read x < go3; echo two', { cwd: fifo('go3') });
    await eventually('the first line came', () => set.output(id).output === 'one\n');
    const tapped = (): { text: string; ends: number } => {
      const got = { text: '', ends: 0 };
      const tap = set.tap(
        id,
        (text) => (got.text += text),
        () => (got.ends += 1),
      );
      assert.ok(tap);
      return got;
    };
    const live = tapped();
    assert.equal(live.text, 'one\n');
    fs.writeFileSync(path.join(folder, 'go3'), 'x\n');
    await set.release(id).catch(() => undefined);
    await eventually('the end was told', () => live.ends === 1);
    const late = tapped();
    await eventually('the late one ended', () => late.ends === 1);
    assert.equal(late.text, live.text);
    assert.equal(set.fullOutput(id), live.text);
    assert.equal(
      set.tap(
        'terminal-unknown',
        () => undefined,
        () => undefined,
      ),
      undefined,
    );
  });

  test('refuses what cannot be started in words that a model can act on', async () => {
    fs.writeFileSync(path.join(folder, 'plain.txt'), 'text');
    fs.writeFileSync(path.join(folder, 'lost.sh'), '#!/no/such/shell\n', { mode: 0o755 });
    const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
      ['no-such-program', [], /"no-such-program" was not found\. Check/],
      ['npm run', ['build'], /never a shell line/],
      ['./plain.txt', [], /not an executable file/],
      ['./lost.sh', [], /first line names was not found/],
      ['/tmp', [], /not an executable file/],
      ['true', ['x'.repeat(200_000)], /too long/],
    ];
    for (const [command, args, words] of cases) {
      await assert.rejects(run(command, { args }), inWords(words), command);
    }
    const gone = path.join(folder, 'gone');
    await assert.rejects(async () => run('ls', { cwd: gone }), inWords(/does not exist/));
    await assert.rejects(
      run('ls', { cwd: path.join(folder, 'plain.txt') }),
      inWords(/not a folder/),
    );
  });

  test('is known to its own session only, and not after its release', async () => {
    const { id } = await whole('true');
    const other = own.open();
    const words = inWords(/^There is no such terminal: /);
    for (const [foreign, name] of [
      [other, id],
      [set, 'terminal-x'],
      [set, ''],
    ] as const) {
      assert.throws(() => foreign.output(name), words);
      await assert.rejects(foreign.waitForExit(name, NEVER), words);
      await assert.rejects(foreign.kill(name), words);
      await assert.rejects(foreign.release(name), words);
    }
    other.stop(id);
    other.dispose();
    await set.kill(id);
    await set.release(id);
    assert.throws(() => set.output(id), words);
    await assert.rejects(set.release(id), words);
  });

  test('that is given up while it starts does not run', async () => {
    const stopped = new AbortController();
    const starting = run('sleep 60', { signal: stopped.signal });
    stopped.abort();
    await assert.rejects(starting, Cancelled);
  });

  test('of which too many run is refused', async () => {
    const many = startTerminals();
    const ids = await Promise.all(
      Array.from({ length: 256 }, () => many.run('sleep', { args: ['60'] })),
    );
    await assert.rejects(many.run('true'), inWords(/256 commands/));
    await many.set.kill(ids[0] ?? '');
    await many.run('true');
    many.dispose();
  });

  test('that floods takes bounded memory and time, and keeps nobody from being served', async () => {
    const before = process.memoryUsage().rss;
    const beats: number[] = [];
    const heart = setInterval(() => beats.push(performance.now()), 10);
    const flood = await run('yes 0123456789abcde | head -c 1000000000');
    const between: number[] = [];
    while (set.output(flood).exitStatus === null && between.length < 1_000) {
      const asked = performance.now();
      assert.equal((await whole('echo hi')).output, 'hi\n');
      between.push(performance.now() - asked);
      // The answer itself is 64 MiB long: asked for only now and then.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    clearInterval(heart);
    assert.deepEqual(await set.waitForExit(flood, NEVER), { code: 0, signal: null });
    const gaps = beats.slice(1).map((beat, n) => beat - (beats[n] ?? 0));
    // A loop that is starved is so for the whole flood.
    assert.ok(Math.max(...gaps) < 5_000, `the longest gap: ${Math.max(...gaps)} ms`);
    assert.ok(Math.max(...between) < 10_000);
    const { output, truncated } = set.output(flood);
    assert.ok(truncated && output.length <= 64 << 20 && output.length > 63 << 20);
    assert.match(output.slice(-32), /^0123456789abcde\n0123456789abcde\n$/);
    assert.ok(process.memoryUsage().rss - before < 700 << 20, 'it grew without bound');
    const told = of(flood, 'printed');
    assert.ok(told.every(({ text }) => text.length <= TERMINAL_OUTPUT_LIMIT));
    const [first, last] = [told[0]?.at ?? 0, told.at(-1)?.at ?? 0];
    // At most every 100 ms, but for the first and the last.
    assert.ok(told.length <= (last - first) / 100 + 2, `${told.length} pieces`);
    assert.ok((of(flood, 'ended')[0]?.text.length ?? 0) <= TERMINAL_OUTPUT_LIMIT);
    await set.release(flood);
  });

  /** A pipe by which a test lets a command go on. @returns The folder that it is in. */
  function fifo(name: string): string {
    execFileSync('mkfifo', [path.join(folder, name)]);
    return folder;
  }
});
