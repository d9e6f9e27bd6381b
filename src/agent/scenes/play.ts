import { readFile, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { ClientPipe } from './clientPipe.ts';
import type { Play } from './playOptions.ts';
import { readScene } from './readScene.ts';
import { Replay } from './replay.ts';
import type { Ending } from './scene.ts';
import { SceneFault } from './sceneFault.ts';
import { ScenePlayer } from './scenePlayer.ts';
import { Transcript } from './transcript.ts';

/** Bytes of the largest files that are played. */
const LARGEST = { scene: 16 * 1024 * 1024, replay: 256 * 1024 * 1024 };
/** A client was not as its scene expects; a file cannot be played. */
const FAILED = 1;
const BAD_FILE = 2;

export interface PlayStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly stderr: Writable;
  /** Takes secrets out of what is told of a client's frames. */
  readonly scrub: (text: string) => string;
}

/**
 * Plays a scene or a recording to the client on these streams, past the strict library. Nothing of a broken file is
 * played, and nothing that a file names is opened or run. Never rejects.
 *
 * @returns How the process is to end.
 */
export async function play({ what, file, speed }: Play, streams: PlayStreams): Promise<Ending> {
  const log = (text: string): Promise<void> =>
    new Promise((resolve) => {
      streams.stderr.write(text, () => {
        resolve();
      });
    });
  const client = new ClientPipe(streams.input, streams.output);
  let code = BAD_FILE;
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new SceneFault('this is no file');
    if (found.size > LARGEST[what]) {
      throw new SceneFault(`this has more than ${LARGEST[what]} bytes`);
    }
    if (what === 'scene') {
      const scene = readScene(await readFile(file, 'utf8'));
      code = FAILED;
      return await new ScenePlayer(scene, client, speed ?? 1, log).play();
    }
    const transcript = await Transcript.open(file);
    await log(`${transcript.about}\n`);
    code = FAILED;
    await new Replay(transcript, client, speed).play();
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await log(`${streams.scrub(`${file}: ${message}`)}\n`);
    return code;
  }
}

/** Plays on the streams of this process, and ends it. */
export async function playToEnd(what: Play, scrub: PlayStreams['scrub']): Promise<void> {
  const { stdin: input, stdout: output, stderr } = process;
  const ending = await play(what, { input, output, stderr, scrub });
  if (typeof ending === 'string') process.kill(process.pid, ending);
  else process.exit(ending);
}
