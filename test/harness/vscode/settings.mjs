/** User settings of the VS Code that the harness starts. */

/** Nothing reaches out of the machine, nothing is asked that has to do with trust or updates. */
const PRIVATE = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'security.workspace.trust.enabled': false,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** For a person: `npm start`. The sample's README opens and says what can be tried. */
export const FOR_A_PERSON = { ...PRIVATE, 'workbench.startupEditor': 'readme' };

/** For tests: nothing may cover what is tested, and texts must be in the page. */
export const FOR_TESTS = {
  ...PRIVATE,
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.layoutControl.enabled': false,
  'workbench.reduceMotion': 'on',
  'window.commandCenter': false,
  'window.confirmBeforeClose': 'never',
  'window.dialogStyle': 'custom',
  'editor.accessibilitySupport': 'off',
  'files.autoSave': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.enablePersistentSessions': false,
};
