/**
 * A reporter of `node --test` that writes the final counts, and the files with a failure, as one line of JSON. Node says them in diagnostics at the end
 * (`tests 12`, `pass 11`, ...), in all versions from 20 on; what a test says itself has a nesting or comes earlier.
 */
export default async function* countReporter(/** @type {AsyncIterable<any>} */ source) {
  /** @type {Record<string, number>} */
  const said = {};
  const failedFiles = new Set();
  for await (const { type, data } of source) {
    if (type === 'test:fail' && data.file !== undefined) failedFiles.add(data.file);
    const match = type === 'test:diagnostic' ? /^(\w+) (\d+)$/.exec(data.message) : null;
    if (match !== null) said[/** @type {string} */ (match[1])] = Number(match[2]);
  }
  yield JSON.stringify({
    passed: said.pass ?? 0,
    failed: (said.fail ?? 0) + (said.cancelled ?? 0),
    skipped: (said.skipped ?? 0) + (said.todo ?? 0),
    failedFiles: [...failedFiles],
  });
}
