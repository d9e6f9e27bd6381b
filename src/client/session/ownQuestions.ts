import type { ToolKind } from '../../protocol/acp.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import type { PermissionChoice } from '../../thread/thread.ts';
import { FileFault } from '../ports.ts';
import type { QuestionWords } from '../requests/permissionQuestion.ts';
import type { ChatPermissions } from './chatPermissions.ts';
import type { CallFields, OwnCall, OwnCalls } from './ownCalls.ts';

/** A question that Parley itself asks about a request of the agent. */
export interface OwnQuestion {
  /** One sentence: why Parley asks. */
  readonly reason: string;
  /** The call as it is shown if no call of the agent is clearly about the same. */
  readonly call: CallFields & { readonly title: string; readonly kind: ToolKind };
  /** The open call of the agent that this is clearly about; `null` if there is none. */
  readonly about: string | null;
  readonly options: readonly PermissionChoice[];
  /** For the agent's model, if the person says no. */
  readonly refusal: string;
  readonly words?: QuestionWords;
}

/** The person said yes. */
export interface Consent {
  readonly optionId: string;
  /** The call of our own that asked, to be told what came of it; `null` if the question stands at a call of the agent. */
  readonly own: OwnCall | null;
}

/** Parley's own questions of one chat. They wait at the desk as the agent's do, and say whose they are. */
export class OwnQuestions {
  /** @param mayAsk False once the person has stopped the turn: there is nothing left to ask. */
  constructor(
    private readonly permissions: ChatPermissions,
    private readonly calls: OwnCalls,
    private readonly mayAsk: () => boolean,
  ) {}

  /**
   * Asks the person.
   * @param signal Takes the question back.
   * @throws FileFault if the person refused; RequestError if nobody will answer.
   */
  async ask(question: OwnQuestion, signal: AbortSignal): Promise<Consent> {
    if (!this.mayAsk()) throw notAnswered();
    const { about, reason, options, words } = question;
    const toolCallId = about ?? this.calls.fresh();
    const fields = about === null ? question.call : {};
    const optionId = await this.permissions.ask(
      {
        toolCall: { sessionUpdate: 'tool_call_update', toolCallId, ...fields },
        options,
        reason,
        ...(words === undefined ? {} : { words }),
      },
      signal,
    );
    const chosen = options.find((option) => option.optionId === optionId);
    if (chosen === undefined) throw notAnswered();
    if (chosen.kind === 'reject_once' || chosen.kind === 'reject_always') {
      throw new FileFault('refused', question.refusal);
    }
    const own = about === null ? this.calls.handle(toolCallId) : null;
    return { optionId: chosen.optionId, own };
  }
}

/** For an agent that asks for what nobody is asked about any more. */
export function notAnswered(): RequestError {
  return new RequestError(
    ErrorCode.cancelled,
    'Nobody answered the question for permission: the turn was stopped, or too many questions wait.',
  );
}
