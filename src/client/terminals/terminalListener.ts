import type { TerminalExit } from '../../thread/thread.ts';

/** Hears what becomes of the terminals of a set. */
export interface TerminalListener {
  started(terminalId: string, shown: string, cwd: string): void;
  /**
   * The first output at once, then at most every 100 ms; at most `TERMINAL_OUTPUT_LIMIT` characters.
   * @param cut Something before `text` was left out; it begins at a character and outside of any escape sequence then.
   */
  printed(terminalId: string, text: string, cut: boolean): void;
  /**
   * Exactly once, and nothing after it.
   * @param exit Both fields are `null` if the set was disposed before the command had ended.
   * @param output The end of what it printed: at most `TERMINAL_OUTPUT_LIMIT` characters, safe to begin with.
   */
  ended(terminalId: string, exit: TerminalExit, output: string, cut: boolean): void;
}
