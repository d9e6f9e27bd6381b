import type { AgentState } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';

/** How far the agent is, in words. */
export function agentStateWord(state: AgentState): string {
  switch (state.kind) {
    case 'idle':
      return S.agentIdle;
    case 'starting':
      return S.agentStarting;
    case 'ready':
      return S.agentReady;
    case 'failed':
      return S.agentFailed;
  }
}
