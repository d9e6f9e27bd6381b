import type {
  AvailableCommand,
  ContentBlock,
  PlanEntry,
  SessionConfigOption,
  SessionInfoUpdate,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from '../../protocol/acp.ts';

/** What is told to a client, in terms of `update`. */
export abstract class Teller {
  abstract update(update: SessionUpdate): Promise<void>;

  userMessage(content: ContentBlock | string, messageId: string): Promise<void> {
    const block = typeof content === 'string' ? { type: 'text' as const, text: content } : content;
    return this.update({ sessionUpdate: 'user_message_chunk', messageId, content: block });
  }

  message(text: string, messageId: string): Promise<void> {
    const content = { type: 'text' as const, text };
    return this.update({ sessionUpdate: 'agent_message_chunk', messageId, content });
  }

  thought(text: string, messageId: string): Promise<void> {
    const content = { type: 'text' as const, text };
    return this.update({ sessionUpdate: 'agent_thought_chunk', messageId, content });
  }

  toolCall(call: ToolCall): Promise<void> {
    return this.update({ ...call, sessionUpdate: 'tool_call' });
  }

  toolCallUpdate(update: ToolCallUpdate): Promise<void> {
    return this.update({ ...update, sessionUpdate: 'tool_call_update' });
  }

  plan(entries: readonly PlanEntry[] | null): Promise<void> {
    return this.update({ sessionUpdate: 'plan', entries: [...(entries ?? [])] });
  }

  commands(commands: readonly AvailableCommand[]): Promise<void> {
    return this.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...commands],
    });
  }

  info(info: SessionInfoUpdate): Promise<void> {
    return this.update({ ...info, sessionUpdate: 'session_info_update' });
  }

  mode(currentModeId: string): Promise<void> {
    return this.update({ sessionUpdate: 'current_mode_update', currentModeId });
  }

  settings(options: readonly SessionConfigOption[]): Promise<void> {
    return this.update({ sessionUpdate: 'config_option_update', configOptions: [...options] });
  }
}
