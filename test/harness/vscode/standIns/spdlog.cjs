/**
 * Stands in for `@vscode/spdlog`, the one native module of VS Code that npm has no binary of. VS Code writes its log
 * files and every Output channel through it. Appends at once and never rotates: enough for a test.
 */
const fs = require('node:fs');
const path = require('node:path');

const NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let defaultLevel = 2;

class Logger {
  constructor(file) {
    this.file = file;
    this.level = defaultLevel;
    this.bare = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a'));
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.appendFileSync(this.file, this.bare ? message : `${time} [${NAMES[level]}] ${message}\n`);
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.bare = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

const createLogger = async (_name, file) => new Logger(file);

// Assigned one by one: VS Code loads this with import(), which sees the names of a CommonJS module only so.
exports.version = 0;
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
exports.setLevel = (level) => {
  defaultLevel = level;
};
exports.setFlushOn = () => {};
