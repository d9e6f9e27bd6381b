/**
 * What the agent's frames look like, as ACP v1 defines it: the part of the schema that a client receives, in a notation
 * short enough to be read at a glance. A test compares every line with the schema of the SDK.
 *
 * An object is a list of `name:type`, `name?:type` for a field that may be left out, `name~` for one that only the draft
 * schema has. `=` begins the values of an enumeration. `@field` begins a union that this field tells apart, with
 * `value=Shape` for each of them and `*=Shape` for all other values. `|` stands between alternatives, `[]` after the type
 * of a list's elements.
 */
export const SHAPES = {
  InitializeResponse:
    'protocolVersion:version agentCapabilities?:AgentCapabilities authMethods?:AuthMethod[] agentInfo?:Implementation|null',
  AgentCapabilities:
    'loadSession?:boolean promptCapabilities?:PromptCapabilities mcpCapabilities?:McpCapabilities sessionCapabilities?:SessionCapabilities auth?:AgentAuthCapabilities providers~',
  PromptCapabilities: 'image?:boolean audio?:boolean embeddedContext?:boolean',
  McpCapabilities: 'http?:boolean sse?:boolean acp~',
  SessionCapabilities:
    'list?:Marker|null delete?:Marker|null additionalDirectories?:Marker|null resume?:Marker|null close?:Marker|null fork~ archive~ systemPrompt~ title~ status~',
  AgentAuthCapabilities: 'logout?:Marker|null status~',
  Marker: '',
  AuthMethod: '@type terminal=AuthMethodTerminal *=AuthMethodAgent',
  AuthMethodAgent: 'id:string name:string description?:string|null',
  AuthMethodTerminal: 'id:string name:string description?:string|null args?:string[] env?:strings',
  Implementation: 'name:string title?:string|null version:string',
  NewSessionResponse:
    'sessionId:string modes?:SessionModeState|null configOptions?:SessionConfigOption[]|null',
  SessionSetupResponse: 'modes?:SessionModeState|null configOptions?:SessionConfigOption[]|null',
  SessionModeState: 'currentModeId:string availableModes:SessionMode[]',
  SessionMode: 'id:string name:string description?:string|null',
  SessionConfigOption: '@type select=SessionConfigSelect boolean=SessionConfigBoolean',
  SessionConfigSelect:
    'id:string name:string description?:string|null category?:string|null currentValue:string options:SessionConfigSelectOption[]|SessionConfigSelectGroup[]',
  SessionConfigBoolean:
    'id:string name:string description?:string|null category?:string|null currentValue:boolean',
  SessionConfigSelectOption: 'value:string name:string description?:string|null',
  SessionConfigSelectGroup: 'group:string name:string options:SessionConfigSelectOption[]',
  SetSessionConfigOptionResponse: 'configOptions:SessionConfigOption[]',
  ListSessionsResponse: 'sessions:SessionInfo[] nextCursor?:string|null',
  SessionInfo:
    'sessionId:string cwd:string additionalDirectories?:string[] title?:string|null updatedAt?:string|null archived~',
  PromptResponse: 'stopReason:StopReason usage~',
  StopReason: '=end_turn max_tokens max_turn_requests refusal cancelled',
  SessionNotification: 'sessionId:string update:SessionUpdate',
  SessionUpdate:
    '@sessionUpdate user_message_chunk=ContentChunk agent_message_chunk=ContentChunk agent_thought_chunk=ContentChunk tool_call=ToolCall tool_call_update=ToolCallUpdate plan=Plan available_commands_update=AvailableCommandsUpdate current_mode_update=CurrentModeUpdate config_option_update=ConfigOptionUpdate session_info_update=SessionInfoUpdate usage_update=UsageUpdate notice=Notice compaction_update=CompactionUpdate compaction_summary_chunk=CompactionSummaryChunk plan_update~ plan_removed~ subagent_update~ session_message~ session_message_chunk~',
  ContentChunk: 'content:ContentBlock messageId?:string|null',
  ContentBlock:
    '@type text=TextContent image=ImageContent audio=AudioContent resource_link=ResourceLink resource=EmbeddedResource',
  TextContent: 'annotations?:Annotations|null text:string',
  ImageContent: 'annotations?:Annotations|null data:string mimeType:string uri?:string|null',
  AudioContent: 'annotations?:Annotations|null data:string mimeType:string',
  ResourceLink:
    'annotations?:Annotations|null description?:string|null mimeType?:string|null name:string size?:integer|null title?:string|null uri:string',
  EmbeddedResource:
    'annotations?:Annotations|null resource:TextResourceContents|BlobResourceContents',
  TextResourceContents: 'mimeType?:string|null text:string uri:string',
  BlobResourceContents: 'mimeType?:string|null blob:string uri:string',
  Annotations: 'audience?:Role[]|null lastModified?:string|null priority?:number|null',
  Role: '=assistant user',
  ToolCall:
    'toolCallId:string title:string name?:string|null kind?:ToolKind status?:ToolCallStatus content?:ToolCallContent[] locations?:ToolCallLocation[] rawInput?:any rawOutput?:any',
  ToolCallUpdate:
    'toolCallId:string title?:string|null name?:string|null kind?:ToolKind|null status?:ToolCallStatus|null content?:ToolCallContent[]|null locations?:ToolCallLocation[]|null rawInput?:any rawOutput?:any',
  ToolKind: '=read edit delete move search execute think fetch switch_mode other',
  ToolCallStatus: '=pending in_progress completed failed',
  ToolCallContent: '@type content=Content diff=Diff terminal=Terminal',
  Content: 'content:ContentBlock',
  Diff: 'path:string oldText?:string|null newText:string',
  Terminal: 'terminalId:string',
  ToolCallLocation: 'path:string line?:natural|null',
  Plan: 'entries:PlanEntry[]',
  PlanEntry: 'content:string priority:PlanEntryPriority status:PlanEntryStatus',
  PlanEntryPriority: '=high medium low',
  PlanEntryStatus: '=pending in_progress completed',
  AvailableCommandsUpdate: 'availableCommands:AvailableCommand[]',
  AvailableCommand: 'name:string description:string input?:UnstructuredCommandInput|null',
  UnstructuredCommandInput: 'hint:string',
  CurrentModeUpdate: 'currentModeId:string',
  ConfigOptionUpdate: 'configOptions:SessionConfigOption[]',
  SessionInfoUpdate: 'title?:string|null updatedAt?:string|null',
  UsageUpdate: 'used:natural size:natural cost?:Cost|null',
  Cost: 'amount:number currency:string',
  Notice: 'severity:string title:string description?:string|null',
  CompactionUpdate:
    'compactionId:string status:string summary?:ContentBlock[]|null error?:string|null',
  CompactionSummaryChunk: 'compactionId:string content:ContentBlock',
  RequestPermissionRequest: 'sessionId:string toolCall:ToolCallUpdate options:PermissionOption[]',
  PermissionOption: 'optionId:string name:string kind:PermissionOptionKind',
  PermissionOptionKind: '=allow_once allow_always reject_once reject_always',
  ReadTextFileRequest: 'sessionId:string path:string line?:natural|null limit?:natural|null',
  WriteTextFileRequest: 'sessionId:string path:string content:string',
  CreateTerminalRequest:
    'sessionId:string command:string args?:string[] env?:EnvVariable[] cwd?:string|null outputByteLimit?:natural|null',
  EnvVariable: 'name:string value:string',
} as const;

export type ShapeName = keyof typeof SHAPES;
