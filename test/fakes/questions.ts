import type { PermissionQuestion } from '../../src/client/ports.ts';

/** A question with two options, `yes` and `no`. */
export function question(permissionId: string): PermissionQuestion {
  return {
    permissionId,
    chatTitle: 'A chat',
    agentName: 'An agent',
    title: 'Dig',
    kind: 'Use a tool',
    subject: 'dig',
    facts: [],
    diffs: [],
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
    reason: '',
  };
}
