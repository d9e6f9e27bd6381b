import type { GuardedPlaces } from './guardedPlaces.ts';

/** Asked outside of the walls before each read and write: who reads them can act in the person's name. */
export const SECRET_PLACES: readonly GuardedPlaces[] = [
  {
    reason: 'This holds keys that open other computers, or sign in your name.',
    patterns: [
      ...['.ssh/**', '.gnupg/**', '.pki/**', '.putty/**', 'id_rsa*', 'id_dsa*', 'id_ecdsa*'],
      ...[
        'id_ed25519*',
        '*.pem',
        '*.key',
        '*.p12',
        '*.pfx',
        '*.ppk',
        '*.jks',
        '*.keystore',
        '*.kdbx',
      ],
      ...['*.asc', '*.gpg', '*.ovpn', '.password-store/**', '.age/**', 'sops/age/**', '.step/**'],
    ],
  },
  {
    reason: 'This is where the system keeps passwords and keys, or hands them to programs.',
    patterns: [
      ...['/etc/*shadow*', '/etc/ssh/*_key', '/etc/ssl/private/**', '/etc/wireguard/**'],
      ...['/etc/kubernetes/**', '/private/etc/master.passwd', '/run/secrets/**'],
      ...[
        '/var/run/secrets/**',
        '/run/credentials/**',
        '/proc/*/environ',
        '/proc/*/task/*/environ',
      ],
    ],
  },
  {
    reason: 'This holds passwords or keys for services that you use.',
    patterns: [
      ...[
        '.aws/**',
        '.azure/**',
        '.config/gcloud/**',
        '.config/gh/**',
        '.config/hub',
        '.config/glab*/**',
      ],
      ...[
        '.config/doctl/**',
        '.config/op/**',
        '.oci/**',
        '.kube/**',
        '.docker/**',
        '.config/containers/**',
      ],
      ...[
        '.netrc',
        '_netrc',
        '.git-credentials',
        '.config/git/**',
        '.pgpass',
        '.my.cnf',
        '.mylogin.cnf',
      ],
      ...[
        '.npmrc',
        '.pypirc',
        '.gem/credentials',
        '.cargo/credentials*',
        '.m2/settings*.xml',
        '.env*',
      ],
      ...[
        '.gradle/gradle.properties',
        '.terraformrc',
        '.terraform.d/**',
        '.vault-token',
        '.databrickscfg',
      ],
      ...['.boto', '.s3cfg', '.config/rclone/**', '.fly/**', '.netlify/**', '.config/netlify/**'],
      ...['.config/configstore/**', '.config/github-copilot/**', '.claude.json', '.copilot/**'],
      ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/*creds*', '.qwen/*creds*'],
      ...[
        '.kimi*/credentials/**',
        '.local/share/opencode/auth.json',
        '.local/share/kilo/auth.json',
      ],
      ...['.pi/agent/auth.json', '.augment/session.json', '.cline/**', '*credentials.json'],
      ...['*.env', '.dev.vars*', '.direnv/**', 'fastagent.secrets.y*ml', '.vault_pass*'],
      ...['.htpasswd', '.sentryclirc', '.huggingface/**', '.cache/huggingface/token', '.kaggle/**'],
      ...[
        '.wrangler/**',
        '.config/.wrangler/**',
        '.snowflake/**',
        '.config/ngrok/**',
        '.ngrok2/**',
      ],
      ...['.circleci/cli.yml', '.config/hcloud/**', '.config/stripe/**', '.subversion/auth/**'],
      ...['.config/filezilla/**', 'filezilla/sitemanager.xml', '.config/remmina/**'],
      ...['.local/share/com.vercel.cli/**', 'com.vercel.cli/**', 'microsoft/usersecrets/**'],
      ...['.microsoft/usersecrets/**', 'appdata/roaming/github cli/**'],
      ...['appdata/roaming/gcloud/**', 'appdata/roaming/gnupg/**'],
      ...['.electrum/**', '.bitcoin/**', '.ethereum/**', '.config/solana/**'],
    ],
  },
  {
    reason: 'This is where the system or the editor keeps passwords.',
    patterns: [
      ...[
        'library/keychains/**',
        '.local/share/keyrings/**',
        '.local/share/kwalletd/**',
        'kwalletd/**',
      ],
      ...['appdata/*/microsoft/credentials/**', 'appdata/*/microsoft/protect/**'],
      ...['appdata/*/microsoft/vault/**', 'appdata/*/microsoft/crypto/**', '/private/var/db/**'],
      ...[
        'code/user/globalstorage/**',
        'code - insiders/user/globalstorage/**',
        'library/cookies/**',
      ],
      ...['1password/**', 'bitwarden*/**', 'keepass*/**', '*.1password*/**', '*.bitwarden*/**'],
    ],
  },
  {
    reason: 'This holds the mail or messages of the person.',
    patterns: [
      ...['.thunderbird/**', 'thunderbird/profiles/**', 'library/mail/**', 'library/messages/**'],
      ...['.local/share/evolution/**', '.config/signal/**', 'application support/signal/**'],
      ...['appdata/roaming/signal/**', '.config/slack/**', 'application support/slack/**'],
      ...['appdata/roaming/slack/**', '.config/discord/**'],
    ],
  },
  {
    reason: "This belongs to a browser's profile, with its passwords and open sessions.",
    patterns: [
      ...[
        '.mozilla/**',
        '.config/google-chrome*/**',
        '.config/chromium/**',
        '.config/microsoft-edge*/**',
      ],
      ...['.config/bravesoftware/**', '.config/opera*/**', '.config/vivaldi/**', '.librewolf/**'],
      ...[
        'snap/firefox/**',
        'snap/chromium/**',
        '.var/app/**',
        'mozilla/firefox/**',
        'google/chrome*/**',
      ],
      ...['microsoft/edge*/user data/**', 'microsoft edge*/**', 'bravesoftware/**', 'vivaldi/**'],
      ...['library/safari/**', 'library/containers/com.apple.safari/**', 'firefox/profiles/**'],
      ...[
        'arc/user data/**',
        'com.operasoftware.*/**',
        'opera software/**',
        'chromium/user data/**',
      ],
    ],
  },
  {
    reason: 'This is what you typed in terminals and programs, often with keys in it.',
    patterns: ['.*_history', '.histfile', '.lesshst', '.viminfo', 'consolehost_history.txt'],
  },
];
