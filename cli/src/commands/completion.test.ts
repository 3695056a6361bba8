import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { main } from '../main.ts';

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
