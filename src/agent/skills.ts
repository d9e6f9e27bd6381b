import { create } from './skills/create.ts';
import { edit } from './skills/edit.ts';
import { explain } from './skills/explain.ts';
import { fail } from './skills/fail.ts';
import { createHelp } from './skills/help.ts';
import { overview } from './skills/overview.ts';
import { plan } from './skills/plan.ts';
import { read } from './skills/read.ts';
import { rename } from './skills/rename.ts';
import { run } from './skills/run.ts';
import { search } from './skills/search.ts';
import { slow } from './skills/slow.ts';
import { stream } from './skills/stream.ts';
import { terminal } from './skills/terminal.ts';
import { think } from './skills/think.ts';
import { todos } from './skills/todos.ts';
import type { Skill } from './turn.ts';

const others: readonly Skill[] = [
  explain,
  search,
  todos,
  overview,
  read,
  plan,
  edit,
  create,
  rename,
  run,
  terminal,
  stream,
  think,
  slow,
  fail,
];

export const help = createHelp(others);

/** Everything that the agent can do, in the order in which it is shown. */
export const skills: readonly Skill[] = [help, ...others];
