/** What a declaration is called, and the pattern that finds it: group `name`, and `exported` where it can be told. */
export type DeclarationPattern = readonly [kind: string | undefined, pattern: RegExp];

/** How one language is read, line by line: enough for an outline, far from a parser. */
export interface Grammar {
  readonly language: string;
  /** What a code block in it is marked with. */
  readonly fence: string;
  readonly endings: string;
  readonly lineComment?: string;
  readonly blockComment?: readonly [open: string, close: string];
  /** Each with the group `source`. */
  readonly imports?: readonly RegExp[];
  /** Groups `name`, `kind` (unless given), and `exported` where the language marks it. */
  readonly declarations?: readonly DeclarationPattern[];
}

const SLASHES = { lineComment: '//', blockComment: ['/*', '*/'] } as const;

const TS_DECLARATION =
  /^(?<exported>export\s+(?:default\s+)?)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?<kind>function|class|interface|type|enum|const|let|var|namespace)\b\s*\*?\s*(?<name>[A-Za-z_$][\w$]*)/;
const TS_METHOD =
  /^(?: {2,4}|\t)(?:(?:public|private|protected|static|override|readonly|async|abstract|get|set)\s+)*\*?(?<name>#?[A-Za-z_$][\w$]*)\s*(?:<[^>()]*>)?\((?!.*;\s*$)/;

const SCRIPT = {
  ...SLASHES,
  imports: [
    /^\s*(?:import\s*|(?:import|export)\b.*\bfrom\s*|\}\s*from\s*)['"](?<source>[^'"]+)['"]/,
    /\b(?:require|import)\(\s*['"](?<source>[^'"]+)['"]\s*\)/,
  ],
  declarations: [
    [undefined, TS_DECLARATION],
    ['method', TS_METHOD],
  ],
} satisfies Partial<Grammar>;

/** Known languages; the first whose endings fit wins. */
const GRAMMARS: readonly Grammar[] = [
  {
    language: 'TypeScript',
    fence: 'ts',
    endings: '.ts .tsx .mts .cts',
    ...SCRIPT,
  },
  {
    language: 'JavaScript',
    fence: 'js',
    endings: '.js .jsx .mjs .cjs',
    ...SCRIPT,
  },
  {
    language: 'Python',
    fence: 'python',
    endings: '.py .pyi',
    lineComment: '#',
    blockComment: ['"""', '"""'],
    imports: [/^\s*from\s+(?<source>[\w.]+)\s+import\b/, /^\s*import\s+(?<source>[\w.]+)/],
    declarations: [
      [undefined, /^(?:async\s+)?(?<kind>def|class)\s+(?<name>\w+)/],
      ['method', /^(?: {4}|\t)(?:async\s+)?def\s+(?<name>\w+)/],
    ],
  },
  {
    language: 'Go',
    fence: 'go',
    endings: '.go',
    ...SLASHES,
    imports: [/^(?:import\s+|\t)(?:[\w.]+\s+)?"(?<source>[^"]+)"\s*$/],
    declarations: [
      ['function', /^func\s+(?:\([^)]*\)\s*)?(?<name>\w+)/],
      [undefined, /^(?<kind>type|var|const)\s+(?<name>\w+)/],
    ],
  },
  {
    language: 'Rust',
    fence: 'rust',
    endings: '.rs',
    ...SLASHES,
    imports: [/^\s*(?:pub\s+)?use\s+(?<source>[^;{]+)/],
    declarations: [
      [
        undefined,
        /^(?<exported>pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?<kind>fn|struct|enum|trait|mod|type|static|macro_rules!)\s+(?<name>\w+)/,
      ],
      ['impl', /^impl(?:<[^>]*>)?\s+(?<name>[\w:<>, ]+)/],
      ['method', /^ {4}(?<exported>pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+)*fn\s+(?<name>\w+)/],
    ],
  },
  {
    language: 'Java',
    fence: 'java',
    endings: '.java .kt .cs .scala .swift .dart .php',
    ...SLASHES,
    imports: [/^\s*(?:import|using|use)\s+(?:static\s+)?(?<source>[\w.*\\]+)/],
    declarations: [
      [
        undefined,
        /^\s{0,4}(?<exported>public\s+|open\s+)?(?:(?:abstract|final|static|sealed|data|internal|private|protected)\s+)*(?<kind>class|interface|enum|record|object|struct|trait|protocol|fun|func|function)\s+(?<name>\w+)/,
      ],
      [
        'method',
        /^\s+(?<exported>public\s+)?(?:(?:private|protected|static|final|async|override|virtual)\s+)+[\w<>[\],?]+\s+(?<name>\w+)\s*\(/,
      ],
    ],
  },
  {
    language: 'C or C++',
    fence: 'cpp',
    endings: '.c .h .cc .cpp .cxx .hpp .hh',
    ...SLASHES,
    imports: [/^\s*#\s*include\s*[<"](?<source>[^>"]+)[>"]/],
    declarations: [
      [undefined, /^(?:typedef\s+)?(?<kind>struct|class|enum|union|namespace)\s+(?<name>\w+)/],
      ['macro', /^\s*#\s*define\s+(?<name>\w+)/],
      ['function', /^[A-Za-z_][\w*&:<>, ]{0,120}[\s*&](?<name>[\w:~]+)\s*\([^;]*$/],
    ],
  },
  {
    language: 'Ruby',
    fence: 'ruby',
    endings: '.rb',
    lineComment: '#',
    imports: [/^\s*require(?:_relative)?\s+['"](?<source>[^'"]+)['"]/],
    declarations: [[undefined, /^\s{0,4}(?<kind>def|class|module)\s+(?<name>[\w.:?!]+)/]],
  },
  {
    language: 'Shell',
    fence: 'sh',
    endings: '.sh .bash .zsh',
    lineComment: '#',
    imports: [/^\s*(?:source|\.)\s+(?<source>\S+)/],
    declarations: [
      ['function', /^(?:function\s+)?(?<name>[\w-]+)\s*\(\)/],
      ['function', /^function\s+(?<name>[\w-]+)/],
    ],
  },
  {
    language: 'CSS',
    fence: 'css',
    endings: '.css .scss .less',
    blockComment: ['/*', '*/'],
    imports: [/^\s*@(?:import|use)\s+(?:url\()?['"]?(?<source>[^'")\s;]+)/],
    declarations: [['rule', /^(?<name>[^\s@}/*][^{}]{0,120}?)\s*[{,]\s*$/]],
  },
  {
    language: 'SQL',
    fence: 'sql',
    endings: '.sql',
    lineComment: '--',
    blockComment: ['/*', '*/'],
    declarations: [
      [
        undefined,
        /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?<kind>table|view|index|function|trigger|procedure|type)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`]+)/i,
      ],
    ],
  },
  {
    language: 'Markdown',
    fence: 'markdown',
    endings: '.md .markdown .mdx',
    blockComment: ['<!--', '-->'],
    declarations: [['heading', /^(?<name>#{1,6}\s+\S.{0,160})/]],
  },
  {
    language: 'YAML',
    fence: 'yaml',
    endings: '.yml .yaml',
    lineComment: '#',
    declarations: [['key', /^(?<name>[\w.-]+)\s*:/]],
  },
  {
    language: 'TOML',
    fence: 'toml',
    endings: '.toml .ini .cfg',
    lineComment: '#',
    declarations: [['section', /^\[+(?<name>[^\]]+)\]/]],
  },
  {
    language: 'JSON',
    fence: 'json',
    endings: '.json .jsonc',
    declarations: [['key', /^(?: {2}| {4}|\t)"(?<name>[^"]{1,120})"\s*:/]],
  },
  {
    language: 'HTML',
    fence: 'html',
    endings: '.html .htm .vue .svelte',
    blockComment: ['<!--', '-->'],
  },
  { language: 'Plain text', fence: '', endings: '' },
];

/** The grammar for a file of this name; plain text for one that is not known. */
export function grammarFor(name: string): Grammar {
  const ending = /\.[^./\\]+$/.exec(name.toLowerCase())?.[0] ?? '';
  const known = GRAMMARS.find(({ endings }) => endings.split(' ').includes(ending));
  return known ?? { language: 'Plain text', fence: '', endings: '' };
}
