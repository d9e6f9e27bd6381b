import { edit } from './skills/edit.ts';
import { fail } from './skills/fail.ts';
import { createHelp } from './skills/help.ts';
import { slow } from './skills/slow.ts';
import { stream } from './skills/stream.ts';
import { think } from './skills/think.ts';
import type { Skill } from './turn.ts';

const others: readonly Skill[] = [edit, stream, think, slow, fail];

export const help = createHelp(others);

/** Everything that the agent can do, in the order in which it is shown. */
export const skills: readonly Skill[] = [help, ...others];
