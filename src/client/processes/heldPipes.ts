import fs from 'node:fs';

/** What a process may write to, in the permissions of the links in `/proc/PID/fd`. */
const WRITES = 0o200;

/**
 * How a descriptor of ours is named, in a way that tells it from all others while it is open; '' where the platform does
 * not say. Linux only. For a named pipe that was removed that is its old path and a remark.
 */
export function heldPipe(descriptor: number): string {
  if (process.platform !== 'linux') return '';
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

/**
 * The names, as `heldPipe` has them, of what a process of our own user can write to, of those that hold `part`. Only links
 * are read, which waits for nobody, not even for a file system that does not answer. Linux only.
 */
export function heldPipes(pid: number, part: string): readonly string[] {
  const folder = `/proc/${pid}`;
  try {
    // Root may look into everybody.
    if (fs.statSync(folder).uid !== process.getuid?.()) return [];
    return fs.readdirSync(`${folder}/fd`).flatMap((descriptor) => {
      const name = written(`${folder}/fd/${descriptor}`, part);
      return name === undefined ? [] : [name];
    });
  } catch {
    // It has ended, or may not be looked into.
    return [];
  }
}

function written(link: string, part: string): string | undefined {
  try {
    const name = fs.readlinkSync(link);
    return name.includes(part) && (fs.lstatSync(link).mode & WRITES) !== 0 ? name : undefined;
  } catch {
    return undefined;
  }
}
