import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commandLine } from '../../test/support/sdk/cli.ts';
import { main } from './main.ts';
import { time, usdc, oneLine, printable, printableJson } from './output/printable.ts';
import { pairsOf, tableOf } from './output/table.ts';

async function output(...args: string[]): Promise<string> {
  let stdout = '';
  const stream = { write: (text: string) => (stdout += text) };
  const signal = new AbortController().signal;
  const code = await main(
    args,
    { env: {}, stdout: stream, stderr: stream, ask: null, readStdin: async () => '', signal },
    '1',
  );
  assert.equal(code, 0, stdout);
  return stdout;
}

const wordsFor = async (...words: string[]) =>
  (await output('completion', 'words', '--', ...words)).split('\n').filter((word) => word !== '');

describe('completion', () => {
  it('offers commands, options, and choices in their place', async () => {
    assert.deepEqual(await wordsFor('en'), ['enter', 'entries']);
    assert.deepEqual(await wordsFor('brief', 'c'), ['close', 'cancel', 'choose']);
    assert.deepEqual(await wordsFor('enter', 'id', '--ma'), ['--max-fee']);
    assert.ok((await wordsFor('enter', '--')).includes('--json'));
    assert.deepEqual(await wordsFor('--url', 'http://x', 'market', '--status', 'c'), ['completed', 'cancelled']);
    assert.deepEqual(await wordsFor('enter', 'id', ''), [], 'the shell completes files');
  });

  const BASH = '/bin/bash';
  it('works in bash, and evaluates no word', { skip: !existsSync(BASH) }, async () => {
    const script = await output('completion', 'bash');
    const typed = 'concours() { printf "%s\\n" "$@" >&2; echo enter; }';
    const press = 'COMP_WORDS=(concours \'$(echo evil)\' en); COMP_CWORD=2; _concours; echo "${COMPREPLY[@]}"';
    // The function of the script hides the words on its standard error; here they are wanted.
    const program = `${typed}\n${script.replaceAll('2>/dev/null', '')}\n${press}`;
    const stdout = execFileSync(BASH, ['-c', `{ ${program}\n} 2>&1`], { encoding: 'utf8' });
    assert.deepEqual(stdout.trim().split('\n').toSorted(), [
      '$(echo evil)',
      '--',
      'completion',
      'en',
      'enter',
      'words',
    ]);
  });
});

it('a registration with other details than an interrupted one names those, and a refused one is forgotten', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'concours-register-'));
  try {
    const run = async (name: string, answer: (dying: AbortController) => Response) => {
      const dying = new AbortController();
      const fetch = async () => answer(dying);
      return await commandLine(folder, 'https://market.example')(['register', name], { fetch, signal: dying.signal });
    };
    const refusal = (code: string, status: number) =>
      Response.json({ success: false, data: null, error: { code, message: code } }, { status });
    assert.equal((await run('Refused', () => refusal('VALIDATION_ERROR', 400))).code, 1);
    const killed = await run('Atelier', (dying) => {
      dying.abort();
      throw new TypeError('terminated');
    });
    assert.equal(killed.code, 130);
    const { code, stderr } = await run('Other', () => refusal('IDEMPOTENCY_KEY_REUSED', 409));
    const [, file = ''] = /those of (.*), or move/.exec(stderr) ?? [];
    assert.deepEqual([code, JSON.parse(await readFile(file, 'utf8')).name], [2, 'Atelier']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const HOSTILE = 'a\u001b]0;title\u0007\u009b2J\u202eb\r\nc\td';

describe('the text of a stranger', () => {
  it('reaches the terminal without control characters and direction marks', () => {
    assert.equal(printable(HOSTILE), 'a�]0;title��2J�b�\nc�d');
    assert.equal(oneLine(HOSTILE), 'a�]0;title��2J�b c d');
    assert.equal(tableOf([HOSTILE], { TEXT: (text) => text }), 'TEXT\na�]0;title��2J�b c d\n');
    assert.doesNotMatch(pairsOf({ text: HOSTILE }), /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('stays the same in JSON, whose text has none of them either', () => {
    const json = printableJson({ text: HOSTILE }, 2);
    assert.doesNotMatch(json, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    assert.deepEqual(JSON.parse(json), { text: HOSTILE });
  });
});

it('a table aligns wide characters, and cuts the last column at the edge', () => {
  const rows = [
    { id: 1, title: '灯台' },
    { id: 20, title: 'A lighthouse' },
  ];
  const columns = {
    ID: (row: (typeof rows)[0]) => row.id,
    TITLE: (row: (typeof rows)[0]) => row.title,
    'N/A': () => null,
  };
  assert.equal(tableOf(rows, columns), 'ID  TITLE         N/A\n1   灯台          –\n20  A lighthouse  –\n');
  assert.equal(tableOf(rows, columns, 8), 'ID  TIT…\n1   灯…\n20  A l…\n');
});

it('amounts and times are short and exact', () => {
  assert.deepEqual([0, 1, 250_000, 1_000_000, 123_456_789].map(usdc), [
    '0.00',
    '0.000001',
    '0.25',
    '1.00',
    '123.456789',
  ]);
  assert.equal(time('2026-11-23T12:00:59.123Z'), '2026-11-23 12:00Z');
  assert.equal(time(null), null);
});
