import { Cancelled, messageOf } from '../../base/errors.ts';
import { FileFault } from '../ports.ts';

type Kind = FileFault['kind'];

/** By the system's error code: what it means and, after it, the file. */
const SENTENCES: Readonly<Record<string, readonly [Kind, string]>> = {
  ENOENT: ['notFound', 'There is no such file'],
  EISDIR: ['failed', 'This is a folder, not a file'],
  ENOTDIR: ['failed', 'A part of this path is a file, not a folder'],
  EACCES: ['refused', 'There is no permission for this file'],
  EPERM: ['refused', 'The system does not permit this for the file'],
  EROFS: ['refused', 'The file is on a read-only file system'],
  ELOOP: ['refused', 'The path was changed meanwhile (a link or another file took its place)'],
  EBUSY: ['failed', 'The file is locked by another program; try again later'],
  ETXTBSY: [
    'failed',
    'The file is a program that is running now; it can be written when it has ended',
  ],
  ENOSPC: ['failed', 'The disk is full; the file is as it was'],
  EDQUOT: ['failed', 'The disk quota is used up; the file is as it was'],
  EFBIG: ['failed', 'The file would be larger than the system allows'],
  ENAMETOOLONG: ['failed', 'The name of the file is too long'],
  EINVAL: ['failed', 'The system does not allow this name for a file'],
  EMFILE: ['failed', 'Too many files are open at this moment; try again later'],
  ENFILE: ['failed', 'Too many files are open at this moment; try again later'],
  EIO: ['failed', 'The disk reported an error'],
  ENXIO: ['failed', 'This is a special file (a pipe, socket or device), not a text file'],
};

/**
 * Whatever went wrong with a file as an error that an agent's model can act on; `FileFault`s and cancellations pass as
 * they are.
 * @param file The path as the agent knows it.
 */
export function faultOf(error: unknown, file: string, done: 'read' | 'written'): Error {
  if (error instanceof FileFault || error instanceof Cancelled) return error;
  const [kind, sentence] = SENTENCES[codeOf(error) ?? ''] ?? [];
  if (kind === undefined) {
    return new FileFault('failed', `The file could not be ${done}: ${file} (${messageOf(error)})`);
  }
  return new FileFault(kind, `${sentence ?? ''}, so it was not ${done}: ${file}`);
}

/** An error as the system gives it, for what we find ourselves. */
export class SystemError extends Error {
  override readonly name = 'SystemError';

  constructor(readonly code: 'EISDIR' | 'ENXIO' | 'ELOOP' | 'EACCES') {
    super(code);
  }
}

/** The system's error code, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** A size in words, such as `2.1 GB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size.toFixed(1)} ${units[unit] ?? ''}`;
}
