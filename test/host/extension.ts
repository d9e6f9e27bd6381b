import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** The extension under test, installed or under development. */
export function parley(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('parley.parley');
  assert.ok(extension, 'Parley is not installed in this VS Code.');
  return extension;
}

/** Asks until the answer is there; for what VS Code does in its own time. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | PromiseLike<T | undefined>,
  timeout = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${timeout / 1000} s for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
