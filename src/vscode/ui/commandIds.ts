/** The commands of the manifest. Keybindings of people and other extensions rely on these names. */
export const COMMAND_IDS = [
  'parley.open',
  'parley.newChat',
  'parley.selectAgent',
  'parley.stop',
  'parley.answerPermission',
  'parley.switchChat',
  'parley.restartAgent',
  'parley.checkAgent',
  'parley.setModelKey',
  'parley.clearModelKeys',
  'parley.showLog',
  'parley.permission.showDetails',
  'parley.permission.showChanges',
  'parley.permission.comeBack',
] as const;

export type CommandId = (typeof COMMAND_IDS)[number];
