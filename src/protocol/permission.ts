import type { PermissionOption, PermissionOptionKind, RequestPermissionRequest } from './acp.ts';
import { listOf } from './content.ts';
import { ErrorCode, RequestError } from './errors.ts';
import { isObject } from './frames.ts';
import { decodeToolCall } from './toolCall.ts';
import { quoted, type Report } from './trace.ts';

/** An option whose kind may be one that we do not know, or not be there at all: `other`. */
export type OfferedOption = Omit<PermissionOption, 'kind'> & {
  readonly kind: PermissionOptionKind | 'other';
};

/** `session/request_permission` as it was understood. `toolCall` is as partial as the agent sent it. */
export type PermissionRequest = Omit<RequestPermissionRequest, 'options'> & {
  readonly options: OfferedOption[];
};

const KINDS = {
  allow_once: true,
  allow_always: true,
  reject_once: true,
  reject_always: true,
} satisfies Record<PermissionOptionKind, true>;

/**
 * Decodes a request for permission (ACP v1, "Requesting Permission"). The id of the call may stand at the top, where
 * some agents put it.
 * @throws RequestError with invalid params, where there is no session or nothing that could be chosen.
 */
export function decodePermission(params: unknown, report: Report): PermissionRequest {
  if (!isObject(params)) throw invalid('The parameters must be an object.');
  const { sessionId } = params;
  if (typeof sessionId !== 'string') throw invalid('"sessionId" must be a string.');
  const partial = isObject(params['toolCall']) ? params['toolCall'] : {};
  const toolCall = decodeToolCall(
    { ...partial, toolCallId: partial['toolCallId'] ?? params['toolCallId'] },
    report,
  );
  if (toolCall === undefined) throw invalid('"toolCall" must be an object with a "toolCallId".');
  const options: OfferedOption[] = [];
  for (const value of listOf(params['options']) ?? []) {
    const option = decodeOption(value, report);
    if (option !== undefined) options.push(option);
  }
  if (options.length === 0) {
    throw invalid(
      '"options" must be a list with at least one option that has "optionId" and "name".',
    );
  }
  return { sessionId, toolCall, options };
}

function decodeOption(value: unknown, report: Report): OfferedOption | undefined {
  if (!isObject(value) || typeof value['optionId'] !== 'string') {
    report('permission option', 'An option of a permission request has no id; it was left out.');
    return undefined;
  }
  const { optionId, name, kind } = value;
  if (typeof kind === 'string' && isKind(kind))
    return { optionId, name: nameOf(name, optionId), kind };
  if (kind !== undefined) {
    report('permission kind', `Permission kind ${quoted(kind)} is not known.`);
  }
  return { optionId, name: nameOf(name, optionId), kind: 'other' };
}

function nameOf(name: unknown, optionId: string): string {
  return typeof name === 'string' && name !== '' ? name : optionId;
}

function isKind(value: string): value is PermissionOptionKind {
  return Object.hasOwn(KINDS, value);
}

function invalid(message: string): RequestError {
  return new RequestError(ErrorCode.invalidParams, message);
}
