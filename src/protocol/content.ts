import type { ContentBlock, EmbeddedResourceResource } from './acp.ts';
import { isObject, type JsonObject } from './frames.ts';
import { quoted, type Report } from './trace.ts';

/** A string, or what agents send in its place: `null` and nothing are the empty one. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : undefined;
}

/** A string that must say something to be of use. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A list; a single thing where a list is meant is a list of one, nothing at all is `undefined`. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value;
  return value === null || value === undefined ? undefined : [value];
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * A content block (ACP v1, "Content"), reduced to the fields of its type.
 * @returns `undefined` (and a report) for a type that we do not know or a block without what makes it one.
 */
export function decodeContent(value: unknown, report: Report): ContentBlock | undefined {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isObject(value)) {
    report('content', 'A content block of the agent is no object; it was left out.');
    return undefined;
  }
  const block = decodeBlock(value);
  if (block === undefined) {
    const type = quoted(value['type']);
    report(
      `content ${type}`,
      `A content block of type ${type} was not understood; it was left out.`,
    );
  }
  return block;
}

function decodeBlock(value: JsonObject): ContentBlock | undefined {
  switch (value['type']) {
    case 'text': {
      const text = textOf(value['text']);
      return text === undefined ? undefined : { type: 'text', text };
    }
    case 'image':
    case 'audio':
      return decodeMedia(value['type'], value);
    case 'resource_link':
      return decodeLink(value);
    case 'resource': {
      const resource = decodeResource(value['resource']);
      return resource === undefined ? undefined : { type: 'resource', resource };
    }
    default:
      return undefined;
  }
}

function decodeMedia(type: 'image' | 'audio', value: JsonObject): ContentBlock | undefined {
  const { data, mimeType, uri } = value;
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  if (type === 'image' && typeof uri === 'string') return { type, data, mimeType, uri };
  return { type, data, mimeType };
}

function decodeLink(value: JsonObject): ContentBlock | undefined {
  const { uri, name, title, description, mimeType, size } = value;
  if (typeof uri !== 'string') return undefined;
  return {
    type: 'resource_link',
    uri,
    name: typeof name === 'string' ? name : uri,
    title: optionalText(title) ?? null,
    description: optionalText(description) ?? null,
    mimeType: optionalText(mimeType) ?? null,
    size: typeof size === 'number' ? size : null,
  };
}

function decodeResource(value: unknown): EmbeddedResourceResource | undefined {
  if (!isObject(value)) return undefined;
  const { uri, text, blob } = value;
  if (typeof uri !== 'string') return undefined;
  const mimeType = optionalText(value['mimeType']) ?? null;
  if (typeof text === 'string') return { uri, text, mimeType };
  return typeof blob === 'string' ? { uri, blob, mimeType } : undefined;
}
