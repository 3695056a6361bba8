import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { errorStatus } from '../contract/basics/errors.ts';
import type { OperationSpec } from '../contract/basics/operation.ts';
import { operatorEventData } from '../contract/events/operator-events.ts';
import { operations } from '../contract/operations.ts';
import { createProgram } from '../server/command/program.ts';
import { settings } from '../server/settings/settings.ts';
import { testDatabase } from '../test/support/test-database.ts';

// The operator's book names commands, settings, requests, metrics, alerts, and queries. All of them exist, each signal of the
// service has a runbook, and every runbook answers the same four questions.

const ROOT = join(import.meta.dirname, '..');
const HEADINGS = ['Meaning', 'Look', 'Act', 'Over when'];
const ANY_ID = '01a209cf-8333-74fb-b215-5b8df150e5f7';
/** Names of other programs, and words of the examples. */
const OTHER_NAMES = new Set(['NODE_EXTRA_CA_CERTS', 'REQUEST_ID', 'NAME_FILE']);

async function read(pattern: string): Promise<Map<string, string>> {
  const files = await Array.fromAsync(glob(pattern, { cwd: ROOT }));
  return new Map(
    await Promise.all(files.toSorted().map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] as const)),
  );
}

const pages = await read('docs/{operators.md,operators/*.md,runbooks/*.md}');
const program = await createProgram();
const index = pages.get('docs/runbooks/README.md') ?? assert.fail('no index');
const runbooks = new Map([...pages].filter(([file]) => /runbooks\/(?!README)/.test(file)));
const sources = [...(await read('server/**/*.ts'))].filter(([file]) => !file.endsWith('.test.ts'));
const source = sources.map(([, text]) => text).join('\n');

const found = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
const alerts = found(source, /\balert: '(\w+)'/g);
const metrics = found(source, /'(concours_[a-z_]+)'/g);
const signals = [...alerts, ...metrics, ...Object.keys(operatorEventData)];
/** The text between backticks, and the lines of code blocks. */
const codeOf = (text: string) =>
  [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, a, b]) => a ?? b ?? '');

describe('the runbooks', () => {
  it('answer the same questions, and name their signals', () => {
    assert.ok(runbooks.size > 20);
    for (const [file, text] of runbooks) {
      assert.match(text, /^# .+\n\n\*\*Signals:\*\* /, file);
      assert.deepEqual([...found(text, /^## (.+)$/gm)], HEADINGS, file);
    }
  });

  it('are all in the index, under their titles', () => {
    const linked = new Map(
      [...index.matchAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g)].map(([, title, file]) => [file, title]),
    );
    for (const [file, text] of runbooks) assert.equal(linked.get(basename(file)), /^# (.+)/.exec(text)?.[1], file);
  });

  it('cover every alert, event, and metric of the service', () => {
    assert.ok(alerts.size > 15 && metrics.size > 25);
    const rows = index.split('\n');
    for (const signal of signals) {
      const named = rows.filter((row) => row.includes(`\`${signal}\``));
      assert.ok(named.length > 0, `${signal} is not in docs/runbooks/README.md`);
      const [, file] = /\(([\w-]+\.md)\)/.exec(named[0] ?? '') ?? [];
      if (file) assert.ok(runbooks.get(`docs/runbooks/${file}`)?.includes(signal), `${file} does not name ${signal}`);
    }
  });
});

describe('the book', () => {
  it('names only metrics, alerts, and settings that exist', () => {
    const known = new Set([...Object.keys(settings), ...Object.keys(errorStatus), ...OTHER_NAMES]);
    for (const [file, text] of pages)
      for (const code of codeOf(text)) {
        for (const name of found(code, /\b(concours_[a-z_]+[a-z])\b(?!_?…)/g))
          assert.ok(metrics.has(name) || /^concours_(serving|restored|signer)$/.test(name), `${name} in ${file}`);
        for (const name of found(code, /\b(ALERT\.[A-Z_]+)/g))
          assert.ok(name in operatorEventData, `${name} in ${file}`);
        const names = found(
          code.replaceAll(/ALERT\.[A-Z_]+/g, ''),
          /(?<![\w./])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w-])/g,
        );
        for (const name of names)
          assert.ok(known.has(name) || known.has(name.replace(/_FILE$/, '')), `${name} in ${file}`);
      }
  });

  it('uses only commands and options of concours-server that exist', () => {
    let uses = 0;
    for (const [file, text] of pages)
      for (const line of codeOf(text).flatMap((code) => code.split('\n')))
        for (const [, words = ''] of line.matchAll(/concours-server ((?:[a-z][a-z-]*|--)[^|;>#`]*)/g)) {
          uses += 1;
          assertCommand(words.trim().split(/\s+/), `${words} in ${file}`);
        }
    assert.ok(uses > 20);
  });

  it('sends only requests that the contract has', () => {
    let requests = 0;
    for (const [file, text] of pages) {
      for (const [, inBlock, inText] of text.matchAll(/^ *op (.+)$|`op ([^`]+)`/gm)) {
        requests += 1;
        assertRequest(inBlock ?? inText ?? '', file);
      }
      for (const [, method = '', path = ''] of text.matchAll(/`(GET|POST|PUT) (\/operator[^`?\s]*)/g))
        assert.ok(operationOf(method, path), `${method} ${path} in ${file}`);
    }
    assert.ok(requests > 40);
  });

  it('has queries that PostgreSQL accepts', async () => {
    const { db } = await testDatabase();
    const queries = [...pages].flatMap(([file, text]) =>
      [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => ({ file, query })),
    );
    assert.ok(queries.length >= 6);
    for (const { file, query } of queries) {
      assert.match(query.trim(), /^select /, file);
      await assert.doesNotReject(async () => await db.unsafe(`explain ${query}`), `${query} in ${file}`);
    }
  });
});

function assertCommand(words: string[], where: string): void {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next) command = next;
    const [, option] = /^(--[a-z-]+)/.exec(word) ?? [];
    if (option && !['--help', '--version'].includes(option))
      assert.ok(
        command.options.some(({ long }) => long === option),
        `${option}: ${where}`,
      );
  }
  assert.ok(command.parent !== null || words[0]?.startsWith('--'), where);
  assert.equal(command.commands.length > 0 && command.parent !== null, false, `a part of it is missing: ${where}`);
}

function operationOf(method: string, path: string): OperationSpec | undefined {
  const plain = (text: string) => text.replaceAll(/\{\w+\}|\b(?:ID|NAME|ADDRESS)\b/g, '*');
  return Object.values<OperationSpec>(operations).find(
    (spec) => spec.method === method.toLowerCase() && plain(spec.path) === plain(path),
  );
}

function assertRequest(line: string, file: string): void {
  const [, target = ''] = /^'?([^\s']+)/.exec(line) ?? [];
  const [path = '', query = ''] = target.split('?');
  const [, body] = /-d '([^']*)'/.exec(line) ?? [];
  const [, method = body === undefined ? 'GET' : 'POST'] = /-X (\w+)/.exec(line) ?? [];
  const spec = operationOf(method, `/operator/${path}`);
  assert.ok(spec, `op ${line} in ${file}`);
  const filled = (text: string) => text.replaceAll(/\bID\b/g, ANY_ID);
  const parsed = [
    spec.query?.safeParse(Object.fromEntries(new URLSearchParams(filled(query)))),
    body === undefined ? undefined : spec.body?.safeParse(JSON.parse(filled(body))),
  ];
  for (const result of parsed) if (result) assert.ok(result.success, `op ${line} in ${file}: ${result.error?.message}`);
}
