import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgentFiles, closeAll, isFault, opened, withSettings } from './editor.ts';

/** One encoding: a text, and the bytes of its middle line as the encoding's tables say. */
interface Sample {
  readonly name: string;
  readonly mark?: readonly number[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly bytes: (text: string) => Uint8Array;
}

const GREEN = 'grün – “ok” ';
const latin = new Map([
  ['ü', 0xfc],
  ['–', 0x96],
  ['“', 0x93],
  ['”', 0x94],
  ['é', 0xe9],
]);
const japanese = new Map([
  ['日', [0x93, 0xfa]],
  ['本', [0x96, 0x7b]],
  ['語', [0x8c, 0xea]],
  ['表', [0x95, 0x5c]],
  ['で', [0x82, 0xc5]],
  ['す', [0x82, 0xb7]],
]);
const chinese = new Map([
  ['中', [0xd6, 0xd0]],
  ['文', [0xce, 0xc4]],
  ['汉', [0xba, 0xba]],
  ['字', [0xd7, 0xd6]],
  ['国', [0xb9, 0xfa]],
]);

function tabled(table: ReadonlyMap<string, number | readonly number[]>) {
  return (text: string): Uint8Array =>
    Uint8Array.from(
      Array.from(text).flatMap((character) => {
        const code = table.get(character) ?? character.charCodeAt(0);
        return typeof code === 'number' ? [code] : [...code];
      }),
    );
}

const little = (text: string): Buffer => Buffer.from(text, 'utf16le');
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

const SAMPLES: readonly Sample[] = [
  { name: 'UTF-8', text: `${GREEN}日本 🙂`, bytes: utf8 },
  { name: 'UTF-8 with its mark', mark: [0xef, 0xbb, 0xbf], text: GREEN, bytes: utf8 },
  { name: 'UTF-16 LE', mark: [0xff, 0xfe], text: `${GREEN}日本 🙂`, bytes: little },
  { name: 'UTF-16 BE', mark: [0xfe, 0xff], text: `${GREEN}日本 🙂`, bytes: big },
  {
    name: 'Windows 1252, by settings',
    settings: { 'files.encoding': 'windows1252' },
    text: GREEN,
    bytes: tabled(latin),
  },
  {
    name: 'Shift JIS, by settings',
    settings: { 'files.encoding': 'shiftjis' },
    text: '日本語表です',
    bytes: tabled(japanese),
  },
  {
    name: 'GBK, by settings',
    settings: { 'files.encoding': 'gbk' },
    text: '中文汉字国',
    bytes: tabled(chinese),
  },
  {
    name: 'Windows 1252, guessed',
    settings: { 'files.autoGuessEncoding': true },
    text: 'Les élèves été café. '.replaceAll('è', 'é'),
    bytes: tabled(latin),
  },
  {
    name: 'Shift JIS, guessed',
    settings: { 'files.autoGuessEncoding': true },
    text: '日本語です。'.replace('。', '').repeat(20),
    bytes: tabled(japanese),
  },
  {
    name: 'GBK, guessed',
    settings: { 'files.autoGuessEncoding': true },
    text: '中国文字汉字中文'.repeat(20),
    bytes: tabled(chinese),
  },
];

/** What VS Code reads as UTF-16 but, in a document, saves with the mark. */
const UNMARKED: readonly Sample[] = [
  { name: 'UTF-16 LE without its mark', text: 'plain text', bytes: little },
  { name: 'UTF-16 BE without its mark', text: 'plain text', bytes: big },
];

describe('the encoding of a file', () => {
  const agent = new AgentFiles();
  let folder = '';
  let count = 0;

  const onDisk = (bytes: Uint8Array): string => {
    count += 1;
    const file = path.join(folder, `encoded-${count}.txt`);
    fs.writeFileSync(file, bytes);
    return file;
  };

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-encodings-')));
  });

  afterEach(closeAll);

  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  for (const { name, mark = [], settings = {}, text, bytes } of [...SAMPLES, ...UNMARKED]) {
    const whole = (changed: string): string => `first\r\n${text}\r\n${changed}\r\n${text}`;
    const encoded = (changed: string): Buffer =>
      Buffer.concat([Buffer.from(mark), bytes(whole(changed))]);

    for (const open of [false, true]) {
      if (open && UNMARKED.some((sample) => sample.name === name)) continue;
      it(`is kept byte for byte outside of the edit: ${name}, ${open ? 'open' : 'not open'}`, () =>
        withSettings(settings, async () => {
          const file = onDisk(encoded('old'));
          const document = open ? await opened(file) : undefined;
          assert.equal(await agent.read(file), whole('old'));
          await agent.write(file, whole('new').replaceAll('\r\n', '\n'));
          assert.deepEqual([...fs.readFileSync(file)], [...encoded('new')]);
          assert.equal(document?.getText() ?? whole('new'), whole('new'));
          // As VS Code itself reads it now.
          const shown = await vscode.workspace.openTextDocument(file);
          assert.equal(shown.getText(), whole('new'));
        }));
    }
  }

  for (const open of [false, true]) {
    const where = open ? 'open' : 'not open';

    it(`that has no place for a character refuses the text, and the agent hears which: ${where}`, () =>
      withSettings({ 'files.encoding': 'windows1252' }, async () => {
        const file = onDisk(tabled(latin)(GREEN));
        const document = open ? await opened(file) : undefined;
        await assert.rejects(
          agent.write(file, `${GREEN}\n\nа日`),
          isFault('failed', /windows1252.*"а" \(U\+0430, line 3\)/, file),
        );
        assert.deepEqual([...fs.readFileSync(file)], [...tabled(latin)(GREEN)]);
        assert.equal(document?.getText() ?? GREEN, GREEN);
      }));

    it(`that the bytes are not of lets them be read, but never written: ${where}`, async () => {
      const file = onDisk(Uint8Array.from([0x61, 0xff, 0x62, 0x0a]));
      const document = open ? await opened(file) : undefined;
      assert.equal(await agent.read(file), 'a\ufffdb\n');
      await assert.rejects(agent.write(file, 'a\ufffdB\n'), isFault('refused', /destroy/, file));
      assert.deepEqual([...fs.readFileSync(file)], [0x61, 0xff, 0x62, 0x0a]);
      assert.equal(document?.isDirty ?? false, false);
    });
  }

  it('of a new file is what the settings say, for its text as well', async () => {
    await withSettings({ 'files.encoding': 'shiftjis' }, async () => {
      const file = path.join(folder, 'new-shiftjis.txt');
      await agent.write(file, '日本');
      assert.deepEqual([...fs.readFileSync(file)], [0x93, 0xfa, 0x96, 0x7b]);
      const other = path.join(folder, 'new-refused.txt');
      await assert.rejects(agent.write(other, 'ü'), isFault('failed', /shiftjis/, other));
      assert.equal(fs.existsSync(other), false);
    });
    await withSettings({ 'files.encoding': 'utf8bom' }, async () => {
      const file = path.join(folder, 'new-marked.txt');
      await agent.write(file, 'x');
      assert.deepEqual([...fs.readFileSync(file)], [0xef, 0xbb, 0xbf, 0x78]);
    });
  });

  it('may be named for one language', async () => {
    await withSettings({ '[ini]': { 'files.encoding': 'windows1252' } }, async () => {
      const file = path.join(folder, 'language.ini');
      fs.writeFileSync(file, Uint8Array.from([0xfc, 0x0a]));
      assert.equal(await agent.read(file), 'ü\n');
      await agent.write(file, 'üé\n');
      assert.deepEqual([...fs.readFileSync(file)], [0xfc, 0xe9, 0x0a]);
    });
  });

  it('that the person chose for one document counts for that one', async () => {
    const file = onDisk(Uint8Array.from([0xe0, 0x0a]));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file), {
      encoding: 'windows1251',
    });
    assert.equal(document.getText(), 'а\n');
    assert.equal(await agent.read(file), 'а\n');
    await agent.write(file, 'аб\n');
    assert.deepEqual([...fs.readFileSync(file)], [0xe0, 0xe1, 0x0a]);
  });

  it('does not make a binary file text', async () => {
    const bytes = Uint8Array.from([0x89, 0x50, 0, 0, 1, 2, 3, 0, 0, 0xff]);
    const file = onDisk(bytes);
    await assert.rejects(agent.read(file), isFault('failed', /binary|not text/, file));
    await assert.rejects(agent.write(file, 'text'), isFault('failed', /binary|not text/, file));
    assert.deepEqual([...fs.readFileSync(file)], [...bytes]);
  });
});
