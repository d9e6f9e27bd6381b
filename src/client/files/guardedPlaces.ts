/**
 * Places that are never used without a question, and why. A pattern is names one after another, anywhere in a path; `*`
 * stands for any letters of a name; a pattern with `/` before it begins at the root of the file system (on Windows with the
 * drive), one with `/**` behind it takes in all that is below. Names compare without case everywhere.
 */
export interface GuardedPlaces {
  readonly reason: string;
  readonly patterns: readonly string[];
  /** Whole checkouts of the project may lie in its folder `worktrees`; they are guarded like any folder, no more. */
  readonly holdsWorktrees?: boolean;
}

const GIT_HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...[
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'pre-rebase',
    'post-checkout',
    'post-merge',
  ],
  ...['pre-push', 'pre-receive', 'update', 'post-receive', 'post-update', 'push-to-checkout'],
  ...['reference-transaction', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate'],
  ...['fsmonitor-watchman', 'post-index-change'],
].map((name) => `hooks/${name}`);

/** Asked before each write, inside of the walls as well as outside: the tools of a project act on them unseen. */
export const PROJECT_PLACES: readonly GuardedPlaces[] = [
  {
    reason: 'This belongs to Git, which runs commands that its settings and hooks name.',
    // A folder with `HEAD` in it can be a repository without `.git`. `.gitmodules` says what is fetched, and to where.
    patterns: [
      // `.bare` is where clones for many worktrees keep it.
      ...['.config/git/**', '.bare/**'],
      ...['.git/**', '*.git/hooks/**', '*.git/config', '.githooks/**', '.husky/**', '.lefthook/**'],
      ...['.gitmodules', '.gitconfig', 'config.worktree', 'head', 'lefthook.y*ml', 'lefthook.toml'],
      ...['.lefthook.y*ml', '.pre-commit-config.y*ml', ...GIT_HOOKS],
    ],
  },
  {
    reason: 'This belongs to a version control system, which runs commands that its settings name.',
    patterns: [
      '.hg/**',
      '.hgrc',
      '.svn/**',
      '.subversion/**',
      '.jj/**',
      '.config/jj/**',
      '.bzr/**',
    ],
  },
  {
    reason: 'This holds settings of SSH or of a cloud, with commands that they run to get in.',
    patterns: [
      ...['.ssh/**', '.gnupg/**', '.aws/config', '.aws/credentials', '.kube/config'],
      ...['.docker/config.json', '.docker/cli-plugins/**'],
    ],
  },
  {
    reason: 'This file runs commands when a debugger or an interpreter starts.',
    patterns: [
      ...['.gdbinit', '.gdbearlyinit', '.config/gdb/**', '.lldbinit*', '.pdbrc*', '.rprofile'],
      ...['.irbrc', '.pryrc', '.ghci', '.psqlrc', '.sqliterc', '.pythonrc*', '.pythonstartup*'],
    ],
  },
  {
    reason: 'Terminals of the editor run this file when they open in the project.',
    patterns: [
      ...['bin/activate', 'bin/activate.*', 'bin/activate_this.py', 'pyvenv.cfg'],
      ...['scripts/activate', 'scripts/activate.bat', 'scripts/activate.ps1'],
      ...['conda/activate.d/**'],
    ],
  },
  {
    reason: "This holds the editor's settings, tasks or extensions, which can run programs.",
    patterns: [
      ...['.vscode/**', '*.code-workspace', '.idea/**', '.run/**', '.fleet/**', '.zed/**'],
      ...['.vs/**', '.devcontainer/**', '.devcontainer.json', '.vscode-server*/**'],
      ...['.vscode-insiders/**', '.vscode-oss/**', '.nvim.lua', '.nvimrc', '.exrc', '.vimrc'],
      ...['.dir-locals.el', '*.sublime-project', '.vim/**', '.config/nvim/**', '.gvimrc', '.emacs'],
      ...['.emacs.d/**', '.config/emacs/**', '.helix/**', '.config/helix/**', '.config/zed/**'],
      ...['.vscode-remote/**', '.vscodium-server*/**', '.cursor-server/**', '.windsurf-server/**'],
      ...['.local/share/code-server/**', 'user-data/user/**'],
      // The editor's own folders of the person: Parley's settings, chats and consents are there.
      ...['code/user/**', 'code - insiders/user/**', 'code - oss/user/**', 'vscodium/user/**'],
      ...['cursor/user/**', 'windsurf/user/**', 'globalstorage/parley.parley/**'],
    ],
  },
  {
    reason: 'This holds settings of agents: what they may do, which servers and hooks they start.',
    holdsWorktrees: true,
    // Not AGENTS.md, CLAUDE.md and the like: those are documents, which the person reads as such.
    patterns: [
      ...['.mcp.json', 'mcp.json', '.claude/**', '.claude.json', '.claude-plugin/**', '.codex/**'],
      ...['.gemini/**', '.qwen/**', '.cursor/**', '.kimi*/**', '.opencode/**', 'opencode.json*'],
      ...['.config/opencode/**', '.cline*/**', '.roo*/**', '.kilo*/**', 'kilo.json*', '.agents/**'],
      ...['.copilot/**', '.github/hooks/**', '.github/copilot/**', '.pi/**', '.augment/**'],
      ...[
        '.goose/**',
        '.config/goose/**',
        '.continue/**',
        '.windsurf/**',
        '.amazonq/**',
        '.kiro/**',
      ],
      ...[
        '.factory/**',
        '.junie/**',
        '.vibe/**',
        '.openhands/**',
        '.aider.conf.y*ml',
        '.crush.json',
      ],
      ...['crush.json', '.config/crush/**', '.zcode*/**', '.hermes/**', 'fastagent.config.y*ml'],
      ...['fastagent.secrets.y*ml', '.parley/**'],
      ...['.amp/**', '.config/amp/**', '.trae*/**', '.rovodev/**', '.warp/**', '.iflow/**'],
      ...['.codebuddy/**', '.grok/**', '.forge/**', '.antigravity*/**'],
    ],
  },
  {
    reason: 'This file holds the environment of programs, often keys and passwords.',
    patterns: [
      '.env*',
      '*.env',
      '.direnv/**',
      '.flaskenv',
      '.dev.vars*',
      'mise.toml',
      'mise.*.toml',
      'mise/config*.toml',
      '.mise*/**',
    ],
  },
  {
    reason: 'This file says from where packages come, with which keys, and what runs with them.',
    patterns: [
      ...[
        '.npmrc',
        '.yarnrc',
        '.yarnrc.yml',
        '.yarn/releases/**',
        '.yarn/plugins/**',
        '.pnpmfile.*js',
      ],
      ...['bunfig.toml', '.pypirc', 'pip.conf', 'pip.ini', '.cargo/**', '.bundle/config', '.gemrc'],
      ...['.mvn/**', '.gradle/init.d/**', 'init.gradle*', 'nuget.config', 'gradle/wrapper/**'],
      ...[
        'sitecustomize.py',
        'usercustomize.py',
        'site-packages/*.pth',
        '.ripgreprc',
        '.config/pip/**',
        '.pnp.*js',
        '.yarn/sdks/**',
        '.condarc',
        '.config/nix/**',
      ],
    ],
  },
];

/** Asked before each write anywhere, and outside of the walls before each read, too. */
export const STARTUP_PLACES: readonly GuardedPlaces[] = [
  {
    reason: 'This file runs commands when a terminal opens.',
    patterns: [
      ...[
        '.bash*/**',
        '.profile*/**',
        '.login',
        '.logout',
        '.zsh*/**',
        '.zprofile*',
        '.zcompdump*',
      ],
      ...['.p10k.zsh', '.fzf.*', '.zprezto/**', '.zinit/**', '.antigen/**', '.oh-my-bash/**'],
      ...['.local/share/bash-completion/**', '.local/share/zinit/**', '.lessfilter', '.mailcap'],
      ...['.zlogin', '.zlogout', '.oh-my-zsh/**', '.kshrc', '.mkshrc', '.cshrc', '.tcshrc'],
      ...['.shrc', '.xonshrc', '.inputrc', '.aliases', '.config/fish/**', '.config/nushell/**'],
      ...['.config/xonsh/**', '.config/zsh/**', '.config/bash/**', '.config/starship.toml'],
      ...[
        '.config/elvish/**',
        '.local/share/fish/**',
        '.tmux.conf',
        '.config/tmux/**',
        '.screenrc',
      ],
      ...['*profile.ps1', 'windowspowershell/**', '.config/powershell/**', 'powershell/modules/**'],
      ...['.terminfo/**', '.tmux/**', 'appdata/roaming/nushell/**', 'appdata/local/clink/**'],
      ...['library/application support/nushell/**', 'microsoft.windowsterminal*/**'],
      ...['microsoft/windows terminal/**', '.config/kitty/**', '.config/alacritty/**'],
      ...['.config/ghostty/**', '.config/wezterm/**', '.wezterm.lua'],
    ],
  },
  {
    reason: 'This runs programs when somebody logs in or the computer starts, or at set times.',
    patterns: [
      ...['.config/autostart/**', '.config/autostart-scripts/**', '.config/plasma-workspace/**'],
      ...[
        '.config/systemd/**',
        'systemd/user/**',
        '.local/share/systemd/**',
        '.xprofile',
        '.xinitrc',
      ],
      ...[
        '.xsession*',
        '.xsessionrc',
        '.pam_environment',
        '.config/environment.d/**',
        '.config/upstart/**',
      ],
      ...['.config/i3/**', '.config/sway/**', '.config/hypr/**', '.config/openbox/**'],
      ...['.local/share/applications/**', '.local/share/dbus-1/**', '.forward', '.xserverrc'],
      ...['.config/awesome/**', '.config/bspwm/**', '.config/qtile/**', '.xmonad/**', '.xmonadrc'],
      ...['.config/niri/**', '.config/river/**', '.hammerspoon/**', '.config/karabiner/**'],
      ...['library/launchagents/**', 'library/launchdaemons/**', 'library/startupitems/**'],
      ...['library/loginitems/**', 'library/application scripts/**', 'library/services/**'],
      ...['com.apple.loginitems.plist', 'backgrounditems.btm', 'library/scripts/**'],
      ...[
        'start menu/programs/startup/**',
        'appdata/local/microsoft/windows/winx/**',
        'ntuser.dat*',
      ],
      ...['spool/cron/**', 'cron.d/**', 'crontab', 'crontabs/**', '.crontab', 'cron.*ly/**'],
      ...['windows/system32/tasks/**', 'windows/tasks/**', 'grouppolicy/**'],
    ],
  },
  {
    reason: 'This is a part of the system that says what it runs, and for whom.',
    patterns: [
      ...['/etc/**', '/private/etc/**', '/var/spool/**', '/private/var/at/**'],
      // The same, where macOS has its disk a second time.
      ...['/system/volumes/data/private/etc/**', '/system/volumes/data/private/var/at/**'],
    ],
  },
  {
    reason: 'This is no file but a view into the system and its running programs.',
    patterns: [
      ...['/proc/**', '/sys/**', '/dev/**', '/run/user/**', '/run/secrets/**', '/run/systemd/**'],
      ...['/run/credentials/**', '/var/run/secrets/**'],
    ],
  },
];

/** Asked before each write anywhere; reading them, such as the headers in `/usr/include`, gives nothing away. */
export const PROGRAM_PLACES: readonly GuardedPlaces[] = [
  {
    reason: 'This is a part of the system, and changes what it runs for everybody.',
    patterns: [
      ...[
        '/usr/**',
        '/bin/**',
        '/sbin/**',
        '/lib*/**',
        '/boot/**',
        '/opt/homebrew/**',
        '/system/**',
      ],
      ...['/library/**', '/nix/**', '/var/lib/**', '/private/var/db/**', '/efi/**'],
      ...['/*:/windows/**', '/*:/program files*/**', '/*:/programdata/**', '/*:/boot*/**'],
      // A disk of Windows by its share, and as Linux in Windows sees it.
      ...['/*$/windows/**', '/*$/program files*/**', '/*$/programdata/**'],
      ...['/mnt/*/windows/**', '/mnt/*/program files*/**', '/mnt/*/programdata/**'],
    ],
  },
  {
    reason: 'Programs in this folder are started by their name alone.',
    patterns: [
      '.local/bin/**',
      'microsoft/windowsapps/**',
      '.cargo/bin/**',
      '.bun/bin/**',
      '.nvm/**',
      ...['.deno/bin/**', '.volta/**', '.asdf/**', '.pyenv/**', '.rbenv/**', '.sdkman/**'],
      ...['.rustup/**', '.local/share/mise/**', '.local/share/pnpm/**', '.dotnet/tools/**'],
      ...['.npm-global/**', '.krew/bin/**', '.nix-profile/**'],
      ...['/home/*/bin/**', '/users/*/bin/**', '/root/bin/**', '/home/*/go/bin/**'],
      ...['/users/*/go/bin/**', '/root/go/bin/**'],
    ],
  },
];
