/** Stands in for `@vscode/ripgrep` and `@vscode/ripgrep-universal`: the ripgrep of the machine. */
const fs = require('node:fs');
const path = require('node:path');

const onPath = (process.env.PATH ?? '')
  .split(path.delimiter)
  .concat('/usr/bin', '/usr/local/bin')
  .map((folder) => path.join(folder, 'rg'))
  .find((file) => fs.existsSync(file));

exports.rgPath = onPath ?? 'rg';
exports.rgDiskPath = async () => exports.rgPath;
exports.getRgPath = () => exports.rgPath;
