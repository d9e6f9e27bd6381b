import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlay } from '../../../../src/agent/scenes/playOptions.ts';
import { readArguments } from '../../../../src/agent/startup.ts';

test('the command line names what is played, and how fast', () => {
  const play = { what: 'scene', file: 'a.json', speed: undefined };
  assert.deepEqual(readArguments(['--scene', 'a.json']), { kind: 'play', play });
  assert.deepEqual(readPlay(['--scene=a=b.json', '--speed', '0.5']), {
    what: 'scene',
    file: 'a=b.json',
    speed: 0.5,
  });
  assert.deepEqual(readPlay(['--speed=4', '--replay', '-']), {
    what: 'replay',
    file: '-',
    speed: 4,
  });
});

test('a command line that cannot be played is complained about', () => {
  for (const [options, complaint] of [
    [['--scene'], /--scene needs a value/],
    [['--replay='], /--replay needs a value/],
    [['--scene', 'a', '--scene', 'b'], /twice/],
    [['--scene', 'a', '--replay', 'b'], /not both/],
    [['--speed', '2'], /needs --scene or --replay/],
    [['--scene', 'a', '--speed', '0'], /above 0/],
    [['--scene', 'a', '--speed', 'fast'], /above 0/],
    [['--scene', 'a', '--speed', 'Infinity'], /above 0/],
    [['--scene', 'a', 'b'], /"b"/],
    [['--scene', 'a', '--max-sessions', '1'], /"--max-sessions"/],
  ] as const) {
    const start = readArguments(options);
    assert.equal(start.kind, 'wrong', options.join(' '));
    assert.match(start.complaint, complaint);
  }
});
