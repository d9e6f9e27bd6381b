import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { build } from 'esbuild';
import { Cancelled } from '../../src/base/errors.ts';
import { runs } from '../../src/client/processes/processTable.ts';
import { OutputPipes } from '../../src/client/terminals/outputPipes.ts';
import { eventually } from '../fakes/eventually.ts';
import { NEVER, startTerminals } from './terminalRunner.ts';

const skip = process.platform === 'win32';
const linux = process.platform === 'linux' ? false : 'only Linux can tell';

describe('the end of a terminal', { skip }, () => {
  const own = startTerminals();
  const { set, run, of, folder } = own;
  after(() => {
    own.dispose();
  });

  /** Starts a command that prints the ids of its processes, one a line. */
  async function family(command: string, count: number) {
    const id = await run(command);
    await eventually('all of them run', () => set.output(id).output.split('\n').length > count);
    const pids = set.output(id).output.trim().split('\n').map(Number);
    assert.ok(pids.every(runs), command);
    return { id, pids };
  }

  test('reaches children and their children', async () => {
    const { id, pids } = await family(
      'echo $$; (echo $BASHPID; sleep 60 & echo $!; wait) & wait',
      3,
    );
    await set.kill(id);
    assert.deepEqual(pids.filter(runs), []);
    assert.deepEqual(set.output(id).exitStatus, { code: null, signal: 'SIGTERM' });
  });

  test('lets a command clean up', async () => {
    const { id } = await family(
      'trap "echo bye; exit 5" TERM; echo $$; while :; do sleep 0.01; done',
      1,
    );
    await set.kill(id);
    const exit = await set.waitForExit(id, NEVER);
    assert.deepEqual(exit, { code: 5, signal: null });
    assert.match(set.output(id).output, /bye\n$/);
  });

  test('comes to who will not hear of it', async () => {
    const stubborn =
      "trap '' TERM; echo $$; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & while :; do sleep 1; done";
    const { id, pids } = await family(stubborn, 2);
    const before = performance.now();
    await set.kill(id);
    assert.ok(performance.now() - before > 1_500, 'it had its time');
    assert.deepEqual(pids.filter(runs), []);
    assert.deepEqual(await set.waitForExit(id, NEVER), { code: null, signal: 'SIGKILL' });
  });

  test('comes to a child with a session of its own', { skip: linux }, async () => {
    const { id, pids } = await family("setsid sh -c 'echo $$; exec sleep 60' & echo $$; wait", 2);
    await set.kill(id);
    assert.deepEqual(pids.filter(runs), []);
  });

  test('comes to a child that has thrown its environment away', { skip: linux }, async () => {
    const { id, pids } = await family(
      "env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec sleep 60' & echo $$; wait",
      2,
    );
    await set.kill(id);
    assert.deepEqual(pids.filter(runs), []);
  });

  test(
    'comes to a daemon whose parents are gone, when it is released',
    { skip: linux },
    async () => {
      const { id, pids } = await family(
        "(setsid sh -c '(echo $$; exec sleep 60) & exec sleep 60' & echo $!) ; exit 0",
        2,
      );
      await set.waitForExit(id, NEVER);
      await set.release(id);
      assert.deepEqual(pids.filter(runs), []);
    },
  );

  test('comes to a daemon that has left everything but its output', { skip: linux }, async () => {
    const daemon =
      'env -i /usr/bin/setsid /bin/sh -c \'(/usr/bin/setsid /bin/sh -c "echo \\$\\$; exec /bin/sleep 60" &)\'';
    for (const end of ['kill', 'release'] as const) {
      const { id, pids } = await family(daemon, 1);
      await set.waitForExit(id, NEVER);
      assert.ok(pids.every(runs), 'it has outlived its parents');
      await set[end](id);
      assert.deepEqual(pids.filter(runs), [], end);
    }
  });

  test(
    'does not come to who ran before and was only handed the output',
    { skip: linux },
    async () => {
      const fifo = path.join(folder, 'orders');
      const script = `mkfifo ${fifo}; echo up; read line < ${fifo}; exec >>"$line"; exec sleep 60`;
      const other = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        await once(other.stdout, 'data');
        // Beginnings are told apart by hundredths of a second.
        await own.whole('sleep 0.05');
        const { id, pids } = await family(
          `echo $$; echo /proc/$$/fd/1 > ${fifo}; while :; do sleep 0.1; done`,
          1,
        );
        const output = (pid: number | undefined): string =>
          fs.readlinkSync(`/proc/${pid ?? 0}/fd/1`);
        await eventually('it holds the output', () => output(other.pid) === output(pids[0]));
        await set.kill(id);
        assert.deepEqual([...pids.filter(runs), runs(other.pid ?? 0)], [true]);
        await set.release(id);
      } finally {
        other.kill();
      }
    },
  );

  test('comes to a group that a shell made for a job', { skip: linux }, async () => {
    const { id, pids } = await family('set -m; sleep 60 & echo $!; echo $$; wait', 2);
    await set.kill(id);
    assert.deepEqual(pids.filter(runs), []);
  });

  test('does not come to anybody else', async () => {
    const other = await family('echo $$; while :; do sleep 0.1; done', 1);
    const { id } = await family('echo $$; while :; do sleep 0.1; done', 1);
    await set.kill(id);
    assert.ok(other.pids.every(runs));
    await set.release(other.id);
  });

  test('comes with its release, and what it printed stays for people', async () => {
    const { id, pids } = await family('echo $$; while :; do sleep 0.1; done', 1);
    const waiting = set.waitForExit(id, NEVER);
    const released = set.release(id);
    assert.throws(() => set.output(id), /There is no such terminal/);
    await released;
    assert.deepEqual(await waiting, { code: null, signal: 'SIGTERM' });
    assert.deepEqual(pids.filter(runs), []);
    assert.equal(set.fullOutput(id), `${pids.join()}\n`);
    assert.equal(of(id, 'ended').length, 1);
  });

  test('comes when the person stops it', async () => {
    const { id } = await family('echo $$; while :; do sleep 0.1; done', 1);
    set.stop(id);
    assert.deepEqual(await set.waitForExit(id, NEVER), { code: null, signal: 'SIGTERM' });
    set.stop('terminal-unknown');
  });

  test('can be asked for by many at once', async () => {
    const { id } = await family('echo $$; while :; do sleep 0.1; done', 1);
    await Promise.all([set.kill(id), set.kill(id), set.release(id)]);
  });

  test('comes with the end of its session, which hears of each at once', async () => {
    const session = startTerminals();
    const id = await session.run('echo one; sleep 60');
    await eventually('it printed', () => session.set.output(id).output === 'one\n');
    session.set.dispose();
    const [ended] = session.of(id, 'ended');
    assert.deepEqual([ended?.exit, ended?.text], [{ code: null, signal: null }, 'one\n']);
    await assert.rejects(session.run('true'), Cancelled);
    assert.throws(() => session.set.output(id), /There is no such terminal/);
    assert.equal(session.set.fullOutput(id), 'one\n');
    session.set.dispose();
    session.dispose();
    assert.equal(session.of(id, 'ended').length, 1);
  });

  test('comes with the window', async () => {
    const window = startTerminals();
    const id = await window.run('setsid sleep 60 & echo $!; echo $$; wait');
    await eventually('both run', () => window.set.output(id).output.split('\n').length === 3);
    const pids = window.set.output(id).output.trim().split('\n').map(Number);
    window.dispose();
    await eventually('nobody is left', () => !pids.some(runs));
  });

  test('comes with the end of our own process, whoever is left', { skip: linux }, async () => {
    const program = path.join(folder, 'window.cjs');
    await build({
      stdin: {
        contents: `
          import { startTerminals } from './terminalRunner.ts';
          const { run, set } = startTerminals();
          void (async () => {
            const id = await run("trap '' TERM; setsid sleep 60 & echo $!; echo $$; while :; do sleep 1; done");
            while (set.output(id).output.split('\\n').length < 3) await new Promise((done) => setTimeout(done, 5));
            process.stdout.write(set.output(id).output, () => process.exit(0));
          })();`,
        resolveDir: path.join(process.cwd(), 'test/contract'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: program,
    });
    const output = await printed(spawn(process.execPath, [program]));
    const pids = output.trim().split('\n').map(Number);
    assert.equal(pids.length, 2);
    await eventually('nobody is left', () => !pids.some(runs));
  });
});

describe('pipes', { skip }, () => {
  test('that cannot be made are done without, once said', async () => {
    const said: string[] = [];
    const pipes = new OutputPipes((message) => said.push(message), 'no-such-mkfifo');
    assert.deepEqual([await pipes.take(), await pipes.take()], [undefined, undefined]);
    assert.equal(said.length, 1);
  });

  test('leave nothing in the temporary folder', async () => {
    const left = (): string[] =>
      fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('parley-pipes-'));
    const before = left();
    const pipes = new OutputPipes((message) => assert.fail(message));
    const pipe = await pipes.take();
    assert.ok(pipe);
    pipe.started();
    pipe.stream.destroy();
    pipes.dispose();
    assert.deepEqual(left(), before);
    assert.equal(await pipes.take(), undefined);
  });
});

async function printed(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}
