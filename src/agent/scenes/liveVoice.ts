import type { ClientPipe } from './clientPipe.ts';
import type { JsonObject } from './json.ts';

/** Speaks to the client of a recording. Everything resolves when it has left. */
export class LiveVoice {
  constructor(private readonly pipe: ClientPipe) {}

  /** As it was recorded, byte for byte, unless something in it is another now. */
  repeat(raw: string, recorded?: JsonObject, frame = recorded): Promise<void> {
    return frame === undefined || frame === recorded
      ? this.pipe.write(`${raw}\n`)
      : this.send(frame);
  }

  send(frame: JsonObject): Promise<void> {
    return this.pipe.write(`${JSON.stringify(frame)}\n`);
  }

  /** Says in a session what the recording does not say. */
  tell(sessionId: string | undefined, text: string): Promise<void> {
    const content = { type: 'text', text };
    return this.update(sessionId, { sessionUpdate: 'agent_message_chunk', content });
  }

  /** The call was not done. */
  failed(sessionId: string | undefined, toolCallId: string): Promise<void> {
    const sessionUpdate = 'tool_call_update';
    return this.update(sessionId, { sessionUpdate, toolCallId, status: 'failed' });
  }

  private update(sessionId: string | undefined, update: JsonObject): Promise<void> {
    const params = { sessionId, update };
    return this.send({ jsonrpc: '2.0', method: 'session/update', params });
  }
}
