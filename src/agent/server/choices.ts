import type {
  ClientCapabilities,
  SessionConfigOption,
  SessionModeState,
  SetSessionConfigOptionRequest,
} from '../../protocol/acp.ts';
import type { Session } from './api.ts';
import { Refusal } from './faults.ts';

/** What the answer to a request that opens a session tells of it. */
export interface Offer {
  readonly modes?: SessionModeState;
  readonly configOptions?: SessionConfigOption[];
}

export function offerOf(session: Session, client: ClientCapabilities): Offer {
  return {
    ...(session.modes && { modes: session.modes.state }),
    ...(session.settings && { configOptions: [...settingsFor(session, client)] }),
  };
}

/** The options that this client knows how to show. */
export function settingsFor(
  session: Session,
  client: ClientCapabilities,
): readonly SessionConfigOption[] {
  return knownTo(client, session.settings?.options(client) ?? []);
}

export function knownTo(
  client: ClientCapabilities,
  options: readonly SessionConfigOption[],
): readonly SessionConfigOption[] {
  const knowsBoolean = Boolean(client.session?.configOptions?.boolean);
  return options.filter(({ type }) => type !== 'boolean' || knowsBoolean);
}

/** @throws Refusal -32602 for a mode that is not offered. */
export function checkMode(modeId: string, { availableModes }: SessionModeState): void {
  if (availableModes.some(({ id }) => id === modeId)) return;
  throw new Refusal(-32602, 'This session has no mode with this id.');
}

/** @throws Refusal -32602 for an option, or a value of it, that is not offered. */
export function checkedValue(
  request: SetSessionConfigOptionRequest,
  options: readonly SessionConfigOption[],
): string | boolean {
  const option = options.find(({ id }) => id === request.configId);
  if (!option) throw new Refusal(-32602, 'This session has no option with this id.');
  const { value } = request;
  if (option.type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw new Refusal(-32602, 'This option is switched on and off: {"type": "boolean"}.');
  }
  const choices = option.options.flatMap((one) => ('options' in one ? one.options : [one]));
  if (typeof value === 'string' && choices.some((choice) => choice.value === value)) return value;
  throw new Refusal(-32602, 'This option has no such value.');
}
