import type { ThreadEvent } from '../../thread/thread.ts';

/** The version of the log's format that this Parley writes. */
export const LOG_VERSION = 1;

/** First line of a chat's log. */
export interface LogHeader {
  readonly version: number;
  readonly id: string;
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export function headerLine(header: LogHeader): string {
  return `${JSON.stringify({ parley: 'chat', ...header })}\n`;
}

export function eventLine(event: ThreadEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** A line of a log as what it says, `null` if it says nothing that can be trusted. */
export function readLine(line: string): LogHeader | ThreadEvent | null {
  const value = parsed(line);
  if (value === null) return null;
  if (isHeader(value)) {
    const { version, id, agentId, createdAt } = value;
    return { version, id, agentId, createdAt };
  }
  return isEvent(value) ? value : null;
}

export function isLogHeader(item: LogHeader | ThreadEvent): item is LogHeader {
  return 'createdAt' in item;
}

function parsed(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function isHeader(value: object): value is LogHeader & { readonly parley: 'chat' } {
  return (
    'parley' in value &&
    value.parley === 'chat' &&
    'version' in value &&
    Number.isInteger(value.version) &&
    has(value, 'id', 'string') &&
    has(value, 'agentId', 'string') &&
    has(value, 'createdAt', 'number')
  );
}

/** The fields that each kind of event must have, and of what kind. */
const FIELDS: { readonly [T in ThreadEvent['type']]: Readonly<Record<string, FieldType>> } = {
  prompted: { turnId: 'string', text: 'string' },
  updated: { update: 'object' },
  permissionAsked: { permissionId: 'string', toolCall: 'object', options: 'array' },
  permissionAnswered: { permissionId: 'string', optionId: 'stringOrNull' },
  cancelRequested: {},
  stopped: { reason: 'string' },
  failed: { failure: 'object' },
  interrupted: {},
  noticed: { severity: 'string', text: 'string' },
  titled: { title: 'stringOrNull' },
  drafted: { text: 'string' },
  queued: { prompt: 'object' },
  unqueued: { promptId: 'string' },
  queueHeld: { held: 'boolean' },
  terminalStarted: { terminalId: 'string', command: 'string', cwd: 'string' },
  terminalPrinted: { terminalId: 'string', text: 'string', cut: 'boolean' },
  terminalEnded: { terminalId: 'string', exit: 'object', output: 'string', cut: 'boolean' },
};

type FieldType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'stringOrNull';

/** Deeper faults show when the event is applied, which is guarded too. */
function isEvent(value: object): value is ThreadEvent {
  if (!has(value, 'at', 'number') || !('type' in value)) return false;
  const { type } = value;
  if (typeof type !== 'string' || !isEventType(type)) return false;
  return Object.entries(FIELDS[type]).every(([name, kind]) => has(value, name, kind));
}

function isEventType(type: string): type is ThreadEvent['type'] {
  return Object.hasOwn(FIELDS, type);
}

function has(value: object, name: string, kind: FieldType): boolean {
  const field: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  switch (kind) {
    case 'array':
      return Array.isArray(field);
    case 'object':
      return typeof field === 'object' && field !== null && !Array.isArray(field);
    case 'stringOrNull':
      return field === null || typeof field === 'string';
    case 'string':
    case 'number':
    case 'boolean':
      return typeof field === kind;
  }
}
