import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ended, floorFor, said, steps } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

test('an agent learns what there is outside of the folders only after a yes', async (t) => {
  const floor = floorFor(t);
  const present = path.join(floor.folders.root, 'present');
  const missing = path.join(floor.folders.root, 'missing');
  fs.mkdirSync(present);
  const chat = floor.chatWith('scripted');
  const answers: string[] = [];
  const ask = async (cwd: string, option: RegExp): Promise<string> => {
    const before = said(chat, 'agent').length;
    const params = { command: process.execPath, args: ['-e', '1'], cwd };
    chat.prompt(steps(['request', 'terminal/create', params]));
    await eventually('the person is asked', () => floor.desk.open.length === 1);
    const { permissionId, options } = floor.desk.open[0]?.question ?? assert.fail();
    const { optionId } = options.find((each) => option.test(each.name)) ?? assert.fail();
    floor.desk.answer(permissionId, optionId);
    await ended(chat);
    return said(chat, 'agent').slice(before);
  };
  for (const folder of [present, missing]) {
    answers.push((await ask(folder, /Reject/)).replaceAll(folder, 'FOLDER'));
  }
  assert.match(answers[0] ?? '', /refused/);
  assert.equal(answers[1], answers[0]);
  assert.match(await ask(missing, /once/), /missing does not exist/);
  assert.match(await ask(present, /once/), /terminalId/);
});
