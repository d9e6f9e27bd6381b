import { ask } from './skills/ask.ts';
import { crash } from './skills/crash.ts';
import { create } from './skills/create.ts';
import { edit } from './skills/edit.ts';
import { explain } from './skills/explain.ts';
import { fail } from './skills/fail.ts';
import { files } from './skills/files.ts';
import { createHelp } from './skills/help.ts';
import { image } from './skills/image.ts';
import { licence } from './skills/licence.ts';
import { mode } from './skills/mode.ts';
import { model } from './skills/model.ts';
import { overview } from './skills/overview.ts';
import { permission } from './skills/permission.ts';
import { plan } from './skills/plan.ts';
import { read } from './skills/read.ts';
import { rename } from './skills/rename.ts';
import { run } from './skills/run.ts';
import { search } from './skills/search.ts';
import { skeleton } from './skills/skeleton.ts';
import { slow } from './skills/slow.ts';
import { stream } from './skills/stream.ts';
import { symbol } from './skills/symbol.ts';
import { terminal } from './skills/terminal.ts';
import { tests } from './skills/tests.ts';
import { think } from './skills/think.ts';
import { title } from './skills/title.ts';
import { todos } from './skills/todos.ts';
import { usage } from './skills/usage.ts';
import type { Skill } from './turn.ts';

const others: readonly Skill[] = [
  explain,
  symbol,
  search,
  todos,
  overview,
  files,
  read,
  plan,
  edit,
  create,
  rename,
  licence,
  skeleton,
  tests,
  run,
  terminal,
  stream,
  think,
  image,
  permission,
  ask,
  mode,
  usage,
  title,
  slow,
  fail,
  crash,
  model,
];

export const help = createHelp(others);

/** Everything that the agent can do, in the order in which it is shown. */
export const skills: readonly Skill[] = [help, ...others];
