import path from 'node:path';
import type { Frame } from './frames.ts';
import type { JsonObject } from './json.ts';
import { isObject, listOf, pick, show } from './json.ts';
import type { Offences, Watched } from './offences.ts';
import { inspect } from './shape.ts';
import type { ShapeName } from './shapes.ts';
import { ToolCalls } from './toolCalls.ts';

/** The methods that an agent may call, with the shape of their parameters and what a client must have offered first. */
const METHODS: Readonly<Record<string, { readonly shape?: ShapeName; readonly needs?: string }>> = {
  'session/update': { shape: 'SessionNotification' },
  'session/request_permission': { shape: 'RequestPermissionRequest' },
  'fs/read_text_file': { shape: 'ReadTextFileRequest', needs: 'fs.readTextFile' },
  'fs/write_text_file': { shape: 'WriteTextFileRequest', needs: 'fs.writeTextFile' },
  'terminal/create': { shape: 'CreateTerminalRequest', needs: 'terminal' },
  'terminal/output': { needs: 'terminal' },
  'terminal/release': { needs: 'terminal' },
  'terminal/wait_for_exit': { needs: 'terminal' },
  'terminal/kill': { needs: 'terminal' },
  'elicitation/create': { needs: 'elicitation' },
  'elicitation/complete': { needs: 'elicitation' },
  '$/cancel_request': {},
};

/** Kinds of updates that a client must have offered to take. */
const OFFERED: Readonly<Record<string, string>> = {
  notice: 'session.notices',
  compaction_update: 'session.compaction',
  compaction_summary_chunk: 'session.compaction',
};

/** Judges every message of one connection by the rules that hold for all of them. */
export class Watch {
  readonly tools = new ToolCalls();
  /** Sessions that an answer or a request of ours has named. */
  readonly sessions = new Set<string>();
  private readonly named = new Map<string, Frame>();

  /** @param capabilities What the agent was told that the client offers. */
  constructor(
    private readonly offences: Offences,
    private readonly capabilities: JsonObject,
  ) {}

  /** A message whose envelope may be anything. @returns Whether it is a request, a notification or a response. */
  take(message: JsonObject, frame: Frame): void {
    this.judge('envelope', envelopeFaults(message), frame);
    const { method, params } = message;
    if (typeof method !== 'string') return;
    const known = METHODS[method];
    if (known === undefined) {
      const faults = method.startsWith('_') ? [] : [`the method ${show(method)} is none of ACP v1`];
      this.judge('methods', faults, frame);
      return;
    }
    this.judge('methods', [], frame);
    if (known.needs !== undefined) this.offered(known.needs, method, frame);
    if (known.shape !== undefined) this.shaped(known.shape, params, frame);
  }

  /** Sessions that the agent spoke of and that nobody has opened. Ask at the end: an update may precede its answer. */
  settle(): void {
    for (const [id, frame] of this.named) {
      const faults = this.sessions.has(id)
        ? []
        : [`it speaks of the session ${show(id)}, which was never opened`];
      this.judge('sessions', faults, frame);
    }
    this.named.clear();
  }

  /** Looks at a value of ours to judge by its shape: answers, too, may carry fields that do not belong there. */
  extras(value: unknown, shape: ShapeName, frame: Frame): readonly string[] {
    const { wrong, extra, draft } = inspect(value, shape);
    const fields = extra.map((field) => `${field} is no field of ACP v1`);
    this.judge('extra', fields, frame);
    const drafts = draft.map((field) => `${field} is in the draft schema only`);
    this.judge('draft', drafts, frame);
    return wrong;
  }

  private shaped(shape: ShapeName, params: unknown, frame: Frame): void {
    const wrong = this.extras(params, shape, frame);
    const sessionId = pick(params, 'sessionId');
    if (typeof sessionId === 'string' && !this.named.has(sessionId))
      this.named.set(sessionId, frame);
    if (shape === 'SessionNotification') {
      this.judge('updates', wrong, frame);
      this.update(sessionId, pick(params, 'update'), frame);
    } else if (shape === 'RequestPermissionRequest') {
      const ids = listOf(pick(params, 'options')).map((option) => pick(option, 'optionId'));
      const twice = new Set(ids).size < ids.length ? ['two options have the same optionId'] : [];
      const none = ids.length === 0 ? ['there is no option to choose'] : [];
      this.judge('permissions', [...wrong, ...twice, ...none], frame);
      this.places(pick(params, 'toolCall'), frame);
    } else {
      this.judge('requests', wrong, frame);
      this.judge(
        'paths',
        pathFaults([pick(params, 'path') ?? pick(params, 'cwd')], [pick(params, 'line')]),
        frame,
      );
    }
  }

  private update(sessionId: unknown, update: unknown, frame: Frame): void {
    if (!isObject(update)) return;
    const needs = OFFERED[String(update['sessionUpdate'])];
    if (needs !== undefined)
      this.offered(needs, `the update ${show(update['sessionUpdate'])}`, frame);
    for (const fault of this.tools.take(sessionId, update)) {
      this.offences.add(fault.kind, fault.reason, frame);
    }
    if (typeof update['toolCallId'] !== 'string') return;
    this.offences.look('toolOrder');
    this.offences.look('toolStatus');
    this.places(update, frame);
  }

  /** The places that a tool call names. */
  private places(call: unknown, frame: Frame): void {
    const content = listOf(pick(call, 'content'));
    const locations = listOf(pick(call, 'locations'));
    const diffs = content.filter((one) => pick(one, 'type') === 'diff');
    const paths = [...locations, ...diffs].map((one) => pick(one, 'path'));
    const lines = locations.map((one) => pick(one, 'line'));
    if (paths.length > 0) this.judge('paths', pathFaults(paths, lines), frame);
    // No terminal is ever made for the agent: the client that we are has none to offer.
    const terminals = content.filter((one) => pick(one, 'type') === 'terminal');
    const unknown = terminals.map(
      (one) => `the terminal ${show(pick(one, 'terminalId'))} was never created`,
    );
    if (content.length > 0) this.judge('terminals', unknown, frame);
  }

  private offered(capability: string, what: string, frame: Frame): void {
    const offer = pick(this.capabilities, ...capability.split('.')) ?? false;
    const faults =
      offer === false ? [`${what}, though the client has not offered ${capability}`] : [];
    this.judge('undeclared', faults, frame);
  }

  private judge(watched: Watched, faults: readonly string[], frame: Frame): void {
    this.offences.look(watched);
    for (const fault of faults) this.offences.add(watched, fault, frame);
  }
}

function envelopeFaults(message: JsonObject): readonly string[] {
  const faults: string[] = [];
  const { jsonrpc, method, id, params, result, error } = message;
  if (jsonrpc !== '2.0') faults.push(`"jsonrpc" is ${show(jsonrpc)}, not "2.0"`);
  const isId = typeof id === 'string' || typeof id === 'number' || id === null;
  if (id !== undefined && !isId) faults.push(`the id ${show(id)} is no string, number or null`);
  if ('method' in message) {
    if (typeof method !== 'string') faults.push(`the method is ${show(method)}, not a string`);
    const structured = params === undefined || (typeof params === 'object' && params !== null);
    if (!structured) faults.push(`the parameters are ${show(params)}, no object and no list`);
    return faults;
  }
  if (id === undefined) faults.push('there is neither a method nor an id');
  else if ('result' in message === 'error' in message) {
    faults.push('an answer has either a result or an error');
  } else if (result === undefined) {
    if (!Number.isInteger(pick(error, 'code'))) faults.push('the code of the error is no integer');
    if (typeof pick(error, 'message') !== 'string') faults.push('the error has no message');
  }
  return faults;
}

function pathFaults(paths: readonly unknown[], lines: readonly unknown[]): readonly string[] {
  const relative = paths.filter((one) => typeof one === 'string' && !isAbsolute(one));
  const early = lines.filter((line) => line === 0);
  return [
    ...relative.map((one) => `the path ${show(one)} is not absolute`),
    ...early.map(() => 'line 0, where the first line is 1'),
  ];
}

function isAbsolute(file: string): boolean {
  return path.posix.isAbsolute(file) || path.win32.isAbsolute(file);
}
