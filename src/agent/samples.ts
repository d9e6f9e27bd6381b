/** What a section is made of, in turn; each knows its number. Every kind of Markdown that answers use is there. */
const SHAPES: readonly ((number: number) => string)[] = [
  prose,
  bullets,
  table,
  codeExample,
  quote,
  numbered,
  tasks,
  mixed,
];

const SENTENCES = [
  'A stream arrives in small pieces, and none of them ends where a word does.',
  'The reader sees the **bold** word before its closing stars have come.',
  'What is already on the page should not move when more is added below it.',
  'An *emphasis*, a `piece of code` and a [link](https://agentclientprotocol.com) stand in one line.',
  'Long answers are read from the top while they still grow at the bottom.',
  'Umlauts (äöü), accents (éèê), 漢字 and an emoji 🚀 travel as several bytes each.',
  'A paragraph that is long enough wraps at every width that a side bar can have.',
  'Nothing here was written by a model: the same number gives the same text.',
];

/** One section of the long answer: a heading and a part below it. The same number always gives the same text. */
export function section(number: number, of: number): string {
  const shape = SHAPES[(number - 1) % SHAPES.length] ?? prose;
  const level = number % 5 === 0 ? '###' : '##';
  return `${level} Section ${number} of ${of}\n\n${shape(number)}\n\n`;
}

function sentences(from: number, many: number): string {
  return Array.from({ length: many }, (_, at) => SENTENCES[(from + at) % SENTENCES.length]).join(
    ' ',
  );
}

function prose(number: number): string {
  return `${sentences(number, 5)}\n\n${sentences(number + 3, 4)}`;
}

function bullets(number: number): string {
  return [
    `Things to know about section ${number}:`,
    '',
    `- ${sentences(number, 1)}`,
    '- A list may hold a list:',
    '  - first inside,',
    '  - second inside, with `code`,',
    '    - and one level deeper.',
    `- ${sentences(number + 2, 2)}`,
  ].join('\n');
}

function table(number: number): string {
  const rows = Array.from(
    { length: 5 },
    (_, at) =>
      `| part ${at + 1} | ${(number * 37 + at * 11) % 100} % | ${SENTENCES[(number + at) % 4] ?? ''} |`,
  );
  return ['| Part | Share | What it says |', '| :--- | ---: | :--- |', ...rows].join('\n');
}

function codeExample(number: number): string {
  return [
    'A function that has to keep its spaces:',
    '',
    '```ts',
    `/** Adds what section ${number} needs. */`,
    `export function section${number}(values: readonly number[]): number {`,
    '  return values.reduce((sum, value) => {',
    `    if (value > ${number}) return sum + value;`,
    "    return sum; // '<script>' and `backticks` are only text here",
    '  }, 0);',
    '}',
    '```',
    '',
    'And a command: `npm run build -- --watch`.',
  ].join('\n');
}

function quote(number: number): string {
  return [
    `> ${sentences(number, 2)}`,
    '>',
    '> > A quote inside a quote, as in an old mail.',
    '>',
    '> — section ' + String(number),
    '',
    sentences(number + 4, 2),
  ].join('\n');
}

function numbered(number: number): string {
  return [
    '1. Read the question.',
    `2. ${sentences(number, 1)}`,
    '',
    '   A step may have a second paragraph.',
    '3. Check the result:',
    '',
    '   ```sh',
    `   echo "section ${number}"`,
    '   ```',
    '4. Say what was done.',
  ].join('\n');
}

function tasks(number: number): string {
  return [
    '- [x] understood',
    `- [${number % 2 === 0 ? 'x' : ' '}] looked up`,
    '- [ ] ~~forgotten~~ done',
    '',
    '---',
    '',
    sentences(number + 1, 3),
  ].join('\n');
}

function mixed(number: number): string {
  return [
    `#### A smaller heading in section ${number}`,
    '',
    `${sentences(number, 1)} <b>HTML is shown as text</b>, and &amp; so are entities.`,
    '',
    '```json',
    `{ "section": ${number}, "path": "src/part${number}.ts", "done": true }`,
    '```',
    '',
    '* * *',
    '',
    sentences(number + 5, 2),
  ].join('\n');
}
