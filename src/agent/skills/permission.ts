import type { PermissionOption } from '../../protocol/acp.ts';
import { code } from '../markdown.ts';
import type { Skill } from '../turn.ts';
import { textContent } from '../turn.ts';

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'not-now', name: 'Reject once', kind: 'reject_once' },
  { optionId: 'never', name: 'Always reject', kind: 'reject_always' },
];

/** Asks for permission with every kind of option, for something that does nothing. */
export const permission: Skill = {
  name: 'permission',
  description: 'Ask for permission with every kind of option; nothing depends on it',
  example: '/permission',

  async run(turn) {
    const call = {
      toolCallId: turn.nextCallId(),
      title: 'Do nothing, with your permission',
      kind: 'other' as const,
      content: [textContent('This is only to see how the question looks. Nothing will be done.')],
    };
    await turn.client.toolCall({ ...call, status: 'pending' });
    const asked = { ...call, status: 'pending' as const };
    const answer = await turn.client.requestPermission(asked, OPTIONS, turn.signal);
    if (answer.outcome === 'cancelled') return 'cancelled';
    const { kind, name } = answer.option;
    const isYes = kind.startsWith('allow');
    await turn.client.toolCallUpdate({
      toolCallId: call.toolCallId,
      status: isYes ? 'completed' : 'failed',
    });
    await turn.say(
      `You chose **${name}**: ${code(kind)} came back. I do nothing with it and forget it: the next time I ask again.`,
    );
    return 'end_turn';
  },
};
