import type { ContentBlock, StopReason } from '../../protocol/acp.ts';
import { Refusal } from '../server/faults.ts';
import type { EarlierTurn } from '../sessions/earlier.ts';
import type { Turn } from '../turn.ts';
import { Answer } from './answer.ts';
import { callTool } from './callTool.ts';
import { Conversation } from './conversation.ts';
import { Endpoint } from './endpoint.ts';
import { ModelFault } from './fault.ts';
import { promptFor, systemPrompt } from './prompt.ts';
import type { ModelPlace } from './setup.ts';
import { toolsFor, wireTool } from './tools.ts';
import { Abandoned } from './tools/tool.ts';
import type { Tool } from './tools/tool.ts';

/** How often the model is asked in one turn. */
const MAX_ROUNDS = 50;
/** What JSON-RPC leaves to servers: the endpoint failed, the agent did not. */
const ENDPOINT_FAILED = -32010;
/** Characters per token: a guess until the endpoint has counted, and the bounds of what it may have counted. */
const PER_TOKEN = { guess: 3, least: 1, most: 5 };
/** Of the room for tokens, so much is for what is sent; the rest is for the answer. */
const SHARE = 0.75;

/** The model's side of one chat. */
export class ModelChat {
  private readonly conversation = new Conversation();
  private readonly endpoint: Endpoint;
  private perToken = PER_TOKEN.guess;
  private hasToldOfTools = false;

  /** @param earlier Turns that the model is told of, though it was not there. */
  constructor(
    private readonly place: ModelPlace,
    earlier: readonly EarlierTurn[] = [],
  ) {
    this.endpoint = new Endpoint(place);
    for (const { asked, said } of earlier) {
      this.conversation.begin(asked);
      this.conversation.answered(said, '', []);
      this.conversation.end('no answer');
    }
  }

  /**
   * One turn: the model answers, calls tools, hears of their results, and answers again.
   *
   * @throws Refusal in words for the person when the endpoint fails.
   */
  async answer(turn: Turn, content: readonly ContentBlock[]): Promise<StopReason> {
    this.conversation.begin(promptFor(content));
    let left = 'no answer';
    try {
      const reason = await this.rounds(turn);
      if (reason === 'cancelled') left = 'cancelled by the user';
      if (reason === 'refusal') this.conversation.forget();
      return reason;
    } catch (error) {
      left = turn.signal.aborted ? 'cancelled by the user' : 'failed';
      if (error instanceof ModelFault) throw new Refusal(ENDPOINT_FAILED, error.message);
      throw error;
    } finally {
      this.conversation.end(left);
    }
  }

  private async rounds(turn: Turn): Promise<StopReason> {
    const tools = toolsFor(turn.client.capabilities, turn.memory.choices.mode);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const answer = await this.ask(turn, tools);
      const { text, thought, finish } = answer;
      const calls = this.conversation.answered(text, thought, answer.calls);
      if (finish === 'length') return 'max_tokens';
      if (finish === 'content_filter') {
        await turn.say('The endpoint’s content filter stopped this answer.');
        return 'refusal';
      }
      if (calls.length === 0) {
        if (text.trim() === '') await turn.say('The model gave an empty answer.');
        return 'end_turn';
      }
      for (const call of calls) {
        try {
          this.conversation.result(call.id, await callTool(turn, tools, call));
        } catch (error) {
          if (error instanceof Abandoned) return 'cancelled';
          throw error;
        }
      }
    }
    await turn.say(`I stopped after ${MAX_ROUNDS} steps in one turn. Say “go on” if I should.`);
    return 'max_turn_requests';
  }

  private async ask(turn: Turn, tools: readonly Tool[]): Promise<Answer> {
    const { model, host, context } = this.place;
    const wire = this.endpoint.takesTools ? tools.map(wireTool) : [];
    const names = wire.map((tool) => tool.function.name);
    const system = { role: 'system' as const, content: systemPrompt(turn.workspace.folder, names) };
    const fixed = JSON.stringify([system, wire]).length;
    this.conversation.fit(context * SHARE * this.perToken - fixed);
    const messages = [system, ...this.conversation.messages()];
    const answer = new Answer(turn, host);
    try {
      await answer.stream(
        this.endpoint.ask({ model, messages, tools: wire }, turn.signal, async (seconds) => {
          await turn.think(`The endpoint is busy: I ask again in ${seconds} s.`);
        }),
      );
    } catch (error) {
      this.conversation.answered(answer.text, '', []);
      throw error;
    }
    await this.tellOfTools(turn, wire.length > 0);
    await this.count(turn, answer, JSON.stringify(messages).length + JSON.stringify(wire).length);
    return answer;
  }

  private async tellOfTools(turn: Turn, wereOffered: boolean): Promise<void> {
    if (!wereOffered || this.endpoint.takesTools || this.hasToldOfTools) return;
    this.hasToldOfTools = true;
    await turn.say(
      `The endpoint lets ${this.place.model} call no tools, so it can only talk: it sees no file and changes none.`,
    );
  }

  /** Tells the client how full the model's memory is, if the endpoint has counted. */
  private async count(turn: Turn, { tokens }: Answer, sent: number): Promise<void> {
    if (!tokens) return;
    const { least, most } = PER_TOKEN;
    if (tokens.prompt > 0) {
      this.perToken = Math.min(most, Math.max(least, sent / tokens.prompt));
    }
    const size = Math.max(this.place.context, tokens.total);
    await turn.client.update({ sessionUpdate: 'usage_update', used: tokens.total, size });
  }
}
