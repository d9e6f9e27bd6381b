import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { ConnectionClosed } from '../../../src/protocol/errors.ts';
import { NdjsonReader, NdjsonWriter } from '../../../src/protocol/ndjson.ts';
import { RequestIds } from '../../../src/protocol/requestIds.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function read(stream: Readable, onMessage: (message: object, reader: NdjsonReader) => void) {
  const reports: string[] = [];
  const raw: string[] = [];
  const reader = new NdjsonReader(stream, new RequestIds(), {
    maxLineBytes: 1 << 20,
    onLine: (direction, line) => raw.push(`${direction} ${line}`),
    report: (kind) => reports.push(kind),
  });
  let closed = 0;
  reader.onClose(() => (closed += 1));
  reader.listen((message) => {
    onMessage(message, reader);
  });
  return { reader, reports, raw, closed: () => closed };
}

const note = (n: number): string => `{"method":"n","params":{"n":${n}}}\n`;

test('only objects that can be messages pass; everything else is reported by its kind', async () => {
  const messages: object[] = [];
  const lines = [
    'Welcome!',
    '[{"jsonrpc":"2.0","method":"a"}]',
    '42',
    'null',
    '"text"',
    '{"half":',
    '{}',
    '{"id":1,"method":7}',
    '{"id":{},"method":"b"}',
    '{"method":"good"}',
  ];
  const { reports } = read(Readable.from([Buffer.from(lines.join('\n'))]), (message, reader) => {
    messages.push(message);
    reader.handled();
  });
  await turn();
  await turn();
  assert.deepEqual(messages, [{ jsonrpc: '2.0', method: 'good' }]);
  assert.deepEqual(reports, [
    'no JSON',
    'no object',
    'no object',
    'no object',
    'no object',
    'no JSON',
    'no message',
    'no message',
    'bad id',
  ]);
});

test('lines are traced as they came, before anything is made of them', async () => {
  const { raw } = read(
    Readable.from([Buffer.from('hello\r\n{"id":"7","result":null}\n')]),
    () => undefined,
  );
  await turn();
  assert.deepEqual(raw, ['recv hello', 'recv {"id":"7","result":null}']);
});

test('reading stops while messages wait, and goes on when they are handled', async () => {
  const all = Array.from({ length: 10_000 }, (_, n) => Buffer.from(note(n)));
  let taken = 0;
  const source = new Readable({
    read() {
      this.push(all[taken] ?? null);
      taken += 1;
    },
  });
  let waiting = 0;
  const { reader, closed } = read(source, () => (waiting += 1));
  for (let n = 0; n < 50; n += 1) await turn();
  assert.ok(waiting >= 100 && waiting < 1_500, `${waiting} of 10,000 were read`);
  assert.equal(source.isPaused(), true);
  let handled = 0;
  while (handled < 10_000) {
    while (handled < waiting) {
      handled += 1;
      reader.handled();
    }
    await turn();
  }
  for (let n = 0; n < 5; n += 1) await turn();
  assert.equal(waiting, 10_000, 'nothing was lost');
  assert.equal(closed(), 1);
});

test('the end is told when the last message has been handled, once, also for a broken stream', async () => {
  const stream = new PassThrough();
  const { reader, closed, reports } = read(stream, () => undefined);
  stream.write(note(1));
  await turn();
  stream.destroy(new Error('the pipe broke'));
  for (let n = 0; n < 5; n += 1) await turn();
  assert.equal(closed(), 0, 'a message still waits');
  reader.handled();
  for (let n = 0; n < 5; n += 1) await turn();
  assert.equal(closed(), 1);
  assert.deepEqual(reports, ['read']);
});

test('a callback that throws loses its message and nothing else', async () => {
  const seen: unknown[] = [];
  const { reports, closed } = read(
    Readable.from([Buffer.from(note(1) + note(2))]),
    (message, reader) => {
      seen.push(message);
      if (seen.length === 1) throw new Error('boom');
      reader.handled();
    },
  );
  for (let n = 0; n < 5; n += 1) await turn();
  assert.equal(seen.length, 2);
  assert.deepEqual(reports, ['callback']);
  assert.equal(closed(), 1);
});

test('a write waits for room and goes on after drain', async () => {
  const taken: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 10,
    write: (_piece, _encoding, done) => taken.push(done),
  });
  const writer = new NdjsonWriter(stream, new RequestIds(), {});
  let settled = false;
  const written = writer.write({ jsonrpc: '2.0' }).then(() => (settled = true));
  await turn();
  assert.equal(settled, false);
  taken.shift()?.();
  await written;
  assert.equal(settled, true);
});

test('writes that wait when the stream breaks are rejected, and so are later ones; nothing is thrown', async () => {
  const stream = new Writable({ highWaterMark: 1, write: () => undefined });
  const writer = new NdjsonWriter(stream, new RequestIds(), {});
  const waiting = [writer.write({ jsonrpc: '2.0' }), writer.write({ jsonrpc: '2.0' })];
  const failed = Promise.all(waiting.map((write) => assert.rejects(write, ConnectionClosed)));
  const told: Error[] = [];
  writer.onError(([error]) => told.push(error));
  stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await failed;
  assert.equal(told.length, 1);
  assert.equal(writer.open, false);
  await assert.rejects(writer.write({ jsonrpc: '2.0' }), ConnectionClosed);
});

test('a write after the end of the input is rejected without an error of the stream', async () => {
  const stream = new PassThrough();
  const writer = new NdjsonWriter(stream, new RequestIds(), {});
  writer.end();
  await assert.rejects(writer.write({ jsonrpc: '2.0' }), ConnectionClosed);
});
