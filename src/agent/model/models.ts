import type { ContentBlock, StopReason } from '../../protocol/acp.ts';
import { code } from '../markdown.ts';
import type { EarlierTurn } from '../sessions/earlier.ts';
import type { Turn, TurnModel } from '../turn.ts';
import type { ModelChat } from './modelChat.ts';
import type { ModelSetup } from './setup.ts';

const HOW = [
  'To give me one, name an endpoint that speaks OpenAI’s chat completions (Ollama, llama.cpp, vLLM, LM Studio, or a service):',
  '',
  '- in Parley: the settings `parley.referenceAgent.baseUrl` and `parley.referenceAgent.model`, and, where a key is needed, the command “Parley: Set the API Key of the Reference Agent”; then restart me',
  '- elsewhere: the environment variables `PARLEY_AGENT_BASE_URL`, `PARLEY_AGENT_MODEL` and `PARLEY_AGENT_API_KEY`',
].join('\n');

/** What only somebody who can write and reason can do. */
const NEEDS_MODEL =
  /^(?:(?:please|now|can you|could you|would you|will you|i want you to|let us|let's|hi|hello|hey)[,!.\s]+)*(?:write|implement|fix|refactor|translate|improve|optimi[sz]e|debug|generate|build|design|add|convert|port|solve|why|suggest|invent|(?:use|ask|connect(?: to)?|switch(?: to)?|start)\b.{0,20}\b(?:model|llm|gpt|claude|ollama|llama|qwen|mistral|ai))\b/i;

/** The model of one chat, if the person has one. */
export class ChatModel implements TurnModel {
  private chat: ModelChat | undefined;

  /** @param earlier What was said in this chat before this process. */
  constructor(
    private readonly setup: ModelSetup,
    private readonly earlier: readonly EarlierTurn[] = [],
  ) {}

  get isThere(): boolean {
    return this.setup.kind === 'model';
  }

  isNeededFor(text: string): boolean {
    return this.setup.kind === 'wrong' || NEEDS_MODEL.test(text);
  }

  async answer(turn: Turn, content: readonly ContentBlock[]): Promise<StopReason> {
    if (this.setup.kind === 'model') {
      // Most have no model: what speaks to one is loaded by those who do.
      const { ModelChat: Chat } = await import('./modelChat.ts');
      this.chat ??= new Chat(this.setup.place, this.earlier);
      return this.chat.answer(turn, content);
    }
    const missing =
      this.setup.kind === 'wrong'
        ? `The model that is set cannot be used. ${this.setup.reason}`
        : 'That needs a language model, and there is none inside me: I would have to pretend.';
    await turn.say(
      `${missing}\n\n${HOW}\n\nWithout one I work offline: \`/help\` shows what I can do.`,
    );
    return 'refusal';
  }

  async describe(turn: Turn): Promise<StopReason> {
    if (this.setup.kind !== 'model') return this.answer(turn, []);
    const { model, host, context } = this.setup.place;
    await turn.say(
      `I use the model ${code(model)} at ${code(host)}, with room for ${context.toLocaleString('en-US')} tokens. What you write goes there, with what I read to answer it; slash commands stay here.`,
    );
    return 'end_turn';
  }
}
