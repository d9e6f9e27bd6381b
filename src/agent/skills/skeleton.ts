import path from 'node:path';
import { Complaint } from '../complaint.ts';
import { exportsOf } from '../exported.ts';
import { peek, readAsTool } from '../files.ts';
import { code, count, plain } from '../markdown.ts';
import { propose } from '../proposal.ts';
import type { NamedText } from '../skeleton.ts';
import { frameworkFor, isKin, isTestFile, skeletonFor } from '../skeleton.ts';
import type { Skill, Turn } from '../turn.ts';
import { cleanPath } from '../words.ts';

/** Files that tell which packages a folder is tested with. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'requirements.txt', 'pytest.ini'];

/** Proposes a test file for a source file, in the style that the folder uses. */
export const skeleton: Skill = {
  name: 'skeleton',
  description: 'Make a test skeleton for a file, in the test style of this folder',
  hint: 'path of a source file',
  example: '/skeleton src/index.ts',

  async run(turn, argument) {
    const file = await readAsTool(turn, cleanPath(argument));
    const sample = await sampleFor(turn, file.name);
    const manifests = await Promise.all(MANIFESTS.map((name) => peek(turn, name)));
    const framework = frameworkFor(file.name, sample?.text ?? '', manifests.join('\n'));
    if (framework === undefined) {
      throw new Complaint(
        `I know no tests for a file like ${code(file.name)}, only for JavaScript, TypeScript, Python, Go and Rust.`,
      );
    }
    const exported = exportsOf(file.name, file.text);
    const made = skeletonFor({ ...file, exported }, framework, sample);
    if (!made || exported.length === 0) {
      throw new Complaint(`I see nothing in ${code(file.name)} that a test could import.`);
    }
    const target = await turn.workspace.locate(made.name);
    const isInside = target === file.path;
    const isThere = isInside ? /#\[cfg\(test\)\]/.test(file.text) : await exists(turn, target);
    if (isThere) throw already(made.name);
    return propose(turn, {
      path: target,
      title: plain(isInside ? `Add tests to ${made.name}` : `Create ${made.name}`, 200),
      before: isInside ? file.text : null,
      after: made.text,
      line: isInside ? file.text.split('\n').length : 1,
      summary:
        `It is a skeleton for ${framework} with ${count(exported.length, 'name')} of ${code(file.name)}. ` +
        'What each should do I cannot know: that is marked as not written yet.',
    });
  },
};

/** A test of this folder to be like, a unit test rather. @throws Complaint when the file is one or has one. */
async function sampleFor(turn: Turn, file: string): Promise<NamedText | undefined> {
  if (isTestFile(file)) throw new Complaint(`${code(file)} is a test itself.`);
  const { name: stem } = path.posix.parse(file);
  const own = [`${stem}.test.`, `${stem}.spec.`, `test_${stem}.`, `${stem}_test.`];
  let sample: string | undefined;
  for await (const { name } of turn.workspace.walk(turn.signal)) {
    if (!isTestFile(name) || !isKin(file, name)) continue;
    if (own.some((start) => path.posix.basename(name).startsWith(start))) throw already(name);
    if (sample === undefined || (!sample.includes('/unit/') && name.includes('/unit/')))
      sample = name;
  }
  return sample === undefined
    ? undefined
    : { name: sample, text: (await peek(turn, sample)) ?? '' };
}

async function exists({ workspace }: Turn, target: string): Promise<boolean> {
  return (await workspace.kindOf(target)) !== 'none';
}

function already(name: string): Complaint {
  return new Complaint(`Tests are there already, in ${code(name)}. I do not write over them.`);
}
