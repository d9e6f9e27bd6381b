import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestServices, type FilePorts } from '../../../src/client/requests/requestServices.ts';
import { FakeSettings } from '../../fakes/fakeSettings.ts';
import { FakeWorkspace } from '../../fakes/fakeWorkspace.ts';
import { noDocuments, noVirtualFiles, ScriptedConflicts, utf8 } from '../../fakes/plainPorts.ts';
import { RecordingLog } from '../../fakes/recordingLog.ts';

const PORTS: FilePorts = {
  documents: noDocuments,
  codec: utf8,
  virtual: noVirtualFiles,
  conflicts: new ScriptedConflicts(),
};

function servicesWith(filePorts: () => Promise<FilePorts>): RequestServices {
  return new RequestServices({
    filePorts,
    shell: { path: () => '/bin/sh' },
    settings: new FakeSettings(),
    workspace: new FakeWorkspace([]),
    log: new RecordingLog(),
  });
}

test('what reads and writes files is loaded once, also for requests that come together', async () => {
  let loaded = 0;
  const services = servicesWith(() => {
    loaded += 1;
    return Promise.resolve(PORTS);
  });
  assert.equal(loaded, 0);
  const [one, other] = await Promise.all([services.texts(), services.texts()]);
  assert.equal(one, other);
  assert.equal(loaded, 1);
  services.dispose();
});

test('what could not be loaded is loaded by the next file, and kept then', async () => {
  let tries = 0;
  const services = servicesWith(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve(PORTS);
  });
  await assert.rejects(services.texts(), /too many open files/);
  assert.equal(await services.texts(), await services.texts());
  assert.equal(tries, 2);
  services.dispose();
});
