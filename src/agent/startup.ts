import { isAboutPlaying, readPlay, type Play } from './scenes/playOptions.ts';
import { DEMO_OPTION } from './terminalDemo.ts';

/** How many sessions a connection may hold; left out where the library is to decide. */
export interface SessionLimits {
  readonly maxSessions?: number;
}

/** What the program was started for. */
export type Startup =
  | { readonly kind: 'speak'; readonly limits: SessionLimits }
  | { readonly kind: 'play'; readonly play: Play }
  | { readonly kind: 'help' | 'version' | 'terminalDemo' }
  | { readonly kind: 'wrong'; readonly complaint: string };

const MAX_SESSIONS = '--max-sessions';

/** Reads the command line, without the program. */
export function readArguments(options: readonly string[]): Startup {
  const [option, ...others] = options;
  if (option === undefined) return { kind: 'speak', limits: {} };
  if (option === MAX_SESSIONS || option.startsWith(`${MAX_SESSIONS}=`)) return readLimit(options);
  if (isAboutPlaying(option)) {
    const play = readPlay(options);
    return typeof play === 'string' ? wrong(play) : { kind: 'play', play };
  }
  const [other] = others;
  if (other !== undefined) return wrong(`I do not know what "${other}" is for here.`);
  if (option === '--help' || option === '-h') return { kind: 'help' };
  if (option === '--version' || option === '-v') return { kind: 'version' };
  if (option === DEMO_OPTION) return { kind: 'terminalDemo' };
  return wrong(`I do not know the option "${option}".`);
}

/** Of several limits the last one counts. */
function readLimit(options: readonly string[]): Startup {
  let limits: SessionLimits = {};
  const rest = options.flatMap((option) => {
    const [name = '', ...value] = option.split('=');
    return name === MAX_SESSIONS && value.length > 0 ? [name, value.join('=')] : [option];
  });
  for (let at = 0; at < rest.length; at += 2) {
    const [name, value] = [rest[at], rest[at + 1]];
    if (name !== MAX_SESSIONS) return wrong(`I do not know the option "${name ?? ''}".`);
    if (value === undefined || !/^-?\d{1,9}$/.test(value)) {
      return wrong(`${MAX_SESSIONS} needs a whole number, negative for no limit.`);
    }
    limits = { maxSessions: Number(value) };
  }
  return { kind: 'speak', limits };
}

function wrong(complaint: string): Startup {
  return { kind: 'wrong', complaint };
}
