/**
 * The two VS Code releases that are tested: the oldest that the manifest allows, and the newest. Both come from npm:
 * the package `code-server` carries VS Code's own server and web workbench.
 */

/**
 * @typedef {object} Release
 * @property {string} version VS Code's own version.
 * @property {string} codeServer Version of the npm package that carries it.
 * @property {string} node The Node that it was made for: used where this program's own is of another major version.
 */

/** @type {Readonly<Record<string, Release>>} */
export const RELEASES = {
  '1.100': { version: '1.100.3', codeServer: '4.100.3', node: '20.20.2' },
  1.139: { version: '1.139.1', codeServer: '4.139.1', node: '24.22.3' },
};

/** The newest: what `npm start` shows. */
export const NEWEST = '1.139';

/**
 * The releases to test: all, or those that `PARLEY_RELEASES` names, separated by commas.
 * @returns {readonly string[]}
 */
export function testedReleases() {
  const named = process.env.PARLEY_RELEASES;
  if (named === undefined || named === '') return Object.keys(RELEASES);
  return named.split(',').map((name) => {
    releaseOf(name);
    return name;
  });
}

/**
 * @param {string} name Such as `1.139`.
 * @returns {Release}
 */
export function releaseOf(name) {
  const release = RELEASES[name];
  if (release !== undefined) return release;
  throw new Error(`VS Code ${name} is not known here. Known: ${Object.keys(RELEASES).join(', ')}.`);
}
