/**
 * Loaded into the VS Code server before its own code: ends it, and all that it has started, when the program that
 * started it is gone, however that ended.
 */
const parent = process.ppid;

setInterval(() => {
  if (process.ppid === parent) return;
  try {
    // The server leads a process group of its own.
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit();
  }
}, 1000).unref();
