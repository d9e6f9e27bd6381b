import type { SessionMode, SessionModeState } from '../protocol/acp.ts';

export type ModeId = 'ask' | 'auto' | 'plan';

/** How far the agent may go by itself. */
export const MODES: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before every change of a file' },
  {
    id: 'auto',
    name: 'Auto-edit',
    description: 'Changes files without asking; commands are asked for',
  },
  {
    id: 'plan',
    name: 'Plan',
    description: 'Proposes, and changes nothing before you approve the plan',
  },
];

export function isModeId(id: unknown): id is ModeId {
  return MODES.some((mode) => mode.id === id);
}

export function modeName(id: ModeId): string {
  return MODES.find((mode) => mode.id === id)?.name ?? id;
}

export function modeState(mode: ModeId): SessionModeState {
  return { currentModeId: mode, availableModes: [...MODES] };
}
