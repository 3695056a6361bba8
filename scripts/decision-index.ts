import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../docs/decisions', import.meta.url));

const INTRODUCTION = `# Decisions

Generated from the records by \`npm run docs\`.

One short record per decision: why something is as it is, what it was measured to give, and when to think again. A record is
not rewritten when the decision changes. A new record replaces it, and the old one says so in its first line.

\`\`\`
# NNNN. Title: what was decided, as a sentence

**Context.** The problem, with the number or failure that showed it.
**Decision.** The behavior of the code now, and its place.
**Measured effect.** Before and after, with the command that prints it.
**When to revisit.** The event that would change the answer.
\`\`\`

Numbers are unique and not contiguous.
`;

/** Returns the first sentence of a part of a record, or of its first bullet; undefined if the part begins with a table. */
function firstSentence(record: string, part: string): string | undefined {
  const text = new RegExp(
    `(?:^## ${part}\\n+|\\*\\*${part}\\.\\*\\*\\s+)([\\s\\S]+?)(?:\\n\\n|\\n\\*\\*|(?![\\s\\S]))`,
    'm',
  ).exec(record)?.[1];
  if (text === undefined || /^[|#>]/.test(text)) return undefined;
  const first = text.startsWith('- ') ? text.slice('- '.length).replace(/\n- [^]*/, '') : text;
  // A bullet begins with its subject: **Batches.**
  const line = first
    .replace(text.startsWith('- ') ? /^\*\*[^*]+[.]\*\*\s+/ : '', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.+?[.:](?= [A-Z`]|$)/.exec(line)?.[0] ?? line).replace(/:$/, '.');
}

/** Returns the rows of the index: number, title, and what the record says in one line. */
export function decisionRows(): string[][] {
  const numbers = new Set<string>();
  return globSync('[0-9]*.md', { cwd: FOLDER })
    .toSorted()
    .map((path) => {
      const file = basename(path);
      const record = readFileSync(join(FOLDER, file), 'utf8');
      const [, number = '', title = ''] = /^# (\d{4})[.] (.+)$/m.exec(record) ?? [];
      if (!file.startsWith(`${number}-`) || number === '')
        throw new Error(`docs/decisions/${file}: its title has no such number`);
      if (numbers.has(number)) throw new Error(`docs/decisions/${file}: ${number} is taken`);
      numbers.add(number);
      const line = firstSentence(record, 'Decision') ?? firstSentence(record, 'Context');
      if (line === undefined)
        throw new Error(`docs/decisions/${file}: it has no sentence of its decision or its context`);
      return [`[${number}](${file})`, title, line];
    });
}

/** Returns the page of the decisions. `table` writes a table of Markdown. */
export function decisionsPage(table: (header: string[], rows: string[][]) => string): string {
  return `${INTRODUCTION}\n${table(['Number', 'Title', 'In one line'], decisionRows())}\n`;
}
