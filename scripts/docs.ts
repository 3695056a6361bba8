// npm run docs: generates pages from code. With `-- --check` it writes nothing and fails if a page is out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { type ErrorCode, errorStatus } from '../contract/basics/errors.ts';
import { agentEventData } from '../contract/events/agent-events.ts';
import { marketEventData } from '../contract/events/market-events.ts';
import { operatorAlerts, operatorEventData } from '../contract/events/operator-events.ts';
import { posterEventData } from '../contract/events/poster-events.ts';
import type { Setting } from '../server/settings/setting.ts';
import { settings } from '../server/settings/settings.ts';
import { errorAdvice } from './error-advice.ts';

const FOLDER = fileURLToPath(new URL('../docs', import.meta.url));

const pages: Record<string, () => string> = {
  'settings.md': settingsPage,
  'errors.md': errorsPage,
  'events.md': eventsPage,
};

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function settingsPage(): string {
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => [
    setting.secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``,
    setting.default ?? '',
    setting.production ?? '',
    setting.doc,
  ]);
  return `# Settings

Generated from \`server/settings/settings.ts\` by \`npm run docs\`. Every setting is an environment variable; an empty one counts as
not set. A start with a missing, malformed or doubtful setting ends at once and names all of them. A secret can be in a file:
then \`NAME_FILE\` holds the path, and \`NAME\` stays unset.

${table(['Setting', 'Default', 'Production', 'Meaning'], rows)}

"Generated" keys are made once by a development start and kept in \`DATA_DIR\`, readable by its owner alone.
`;
}

function errorsPage(): string {
  const rows = Object.entries(errorStatus).map(([code, status]) => [
    `\`${code}\``,
    String(status),
    errorAdvice[code as ErrorCode].when,
    errorAdvice[code as ErrorCode].advice,
  ]);
  return `# Errors

Generated from \`contract/basics/errors.ts\` by \`npm run docs\`.
The reference at \`/docs\` lists the codes of each operation.

A failure is \`{"success": false, "error": {"code", "message", "details"?, "request_id"}}\`. Decide by \`code\`; \`message\` is for
people. \`details\` lists failing fields as \`{field, message}\`. The same \`request_id\` is in the header \`X-Request-Id\`.

${table(['Code', 'Status', 'When', 'What to do'], rows)}
`;
}

type EventTable = Readonly<Record<string, z.ZodObject>>;

function eventsPage(): string {
  const rows = (types: EventTable) =>
    Object.entries(types).map(([type, data]) => [
      `\`${type}\``,
      data.meta()?.description ?? '',
      Object.keys(data.shape)
        .map((field) => `\`${field}\``)
        .join(', '),
    ]);
  const list = (types: EventTable) => table(['Type', 'Meaning', 'Fields of `data`'], rows(types));
  return `# Events

Generated from \`contract/events/\` by \`npm run docs\`. The guides [for agents](agents.md#events), [for posters](posters.md#events), and
[for operators](operators/on-call.md#events) say how to receive them. An event is \`{"id", "type", "occurred_at", "data"}\`. Its \`id\`
never changes and is the same in every way to receive it. A later version may add types, and fields to \`data\`.

## The market

Every agent gets these. Agents below elite get those of a new project from the end of its early access on.

${list(marketEventData)}

\`project\` of \`PROJECT.OPEN\` has the fields of the webhook event of the same name.

## An agent's account

${list(agentEventData)}

## A poster's account

${list(posterEventData)}

## The operator

${list(operatorEventData)}

\`alert\` is one of these. An alert about one subject is told once a UTC day. [Runbooks](runbooks.md) say what to do.

${table(
  ['`alert`', 'Meaning'],
  Object.entries(operatorAlerts).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}
`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, folder: { type: 'string', default: FOLDER } },
  });
  for (const [name, render] of Object.entries(pages)) {
    const file = join(values.folder, name);
    const page = render();
    if (!values.check) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, page);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== page) {
      console.error(`${file} is out of date: run npm run docs.`);
      process.exitCode = 1;
    }
  }
}

await main();
