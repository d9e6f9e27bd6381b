/** Suites that drive a real VS Code, once in each tested release. */
import { after, before, describe, it } from 'node:test';
import { sampleWorkspace } from '../harness/paths.mjs';
import { Session } from '../harness/session.mjs';
import { releaseOf, testedReleases } from '../harness/vscode/releases.mjs';

export interface Setup {
  /** User settings, on top of those for tests. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether VS Code asks if the folder can be trusted. */
  readonly workspaceTrust?: boolean;
  /** Changes the workspace before it is opened. */
  readonly prepare?: (folder: string) => void;
}

/** A test of a suite: the tests of one suite run in their order, in one window. */
export type Step = (name: string, run: (session: Session) => Promise<void>) => void;

/**
 * @param title What is shown to work, as a sentence without its end.
 * @param define Names the tests, with the function it is given.
 */
export function inVsCode(title: string, setup: Setup, define: (step: Step) => void): void {
  for (const release of testedReleases()) {
    describe(`VS Code ${releaseOf(release).version}: ${title}`, () => {
      let session: Session | undefined;

      before(async () => {
        const folder = sampleWorkspace();
        setup.prepare?.(folder);
        session = await Session.start({
          release,
          folder,
          settings: setup.settings ?? {},
          workspaceTrust: setup.workspaceTrust ?? false,
        });
        await session.parley.open();
      });

      after(async () => {
        await session?.close();
      });

      define((name, run) => {
        it(name, async () => {
          if (session === undefined) throw new Error('VS Code did not start.');
          await withEvidence(session, name, run);
        });
      });
    });
  }
}

/** Keeps a picture and the logs of a test that fails. */
async function withEvidence(
  session: Session,
  name: string,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  try {
    await run(session);
  } catch (error) {
    const picture = await session.shoot(`failed-${name}`);
    console.error(`Picture: ${picture}\n${session.pageErrors.join('\n')}\n${session.logs()}`);
    throw error;
  }
}
