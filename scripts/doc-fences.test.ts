import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { docBlocks, placeOf } from '../test/support/docs/doc-blocks.ts';
import { filesWithTitle, needsOwnProcess, testFiles } from './test-files.ts';

// Each example of the documents has a language, and each language a test. Commands in `shell` depend on the reader's
// machine, so their parts are checked here instead.

const ROOT = join(import.meta.dirname, '..');
const TESTED: Record<string, string> = {
  http: 'test/http/doc-http-examples.test.ts',
  json: 'test/http/doc-requests.test.ts',
  js: 'test/journeys/doc-examples.test.ts',
  ts: 'test/journeys/doc-examples.test.ts',
  sh: 'test/wide/packages.test.ts',
  shell: 'this file',
  // Not to be typed: what an answer looks like on the wire.
  text: 'none',
};
const blocks = await docBlocks();
const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** npm's own commands. */
const OF_NPM = new Set(['install', 'pack', 'ci']);

describe('an example of the documents', () => {
  it('has a language that a test reads', () => {
    for (const block of blocks) assert.ok(TESTED[block.language], `${placeOf(block)}: "${block.language}"`);
  });

  it('names scripts, tests, and files that exist', () => {
    const lines = blocks
      .filter(({ language }) => language === 'shell')
      .flatMap((block) =>
        block.text.split('\n').map((line) => ({ at: placeOf(block), line: line.split(' #')[0] ?? '' })),
      );
    const patterns: string[] = [];
    for (const { at, line } of lines) {
      const [, command, name = ''] = /^npm (run )?(\S+)/.exec(line) ?? [];
      if (name) assert.ok(scripts[name] !== undefined || (command === undefined && OF_NPM.has(name)), `${at}: ${line}`);
      const [, pattern] = /^npm test -- "?([^"]+?)"?\s*$/.exec(line) ?? [];
      if (pattern !== undefined && pattern !== 'PATTERN' && !pattern.startsWith('--')) patterns.push(pattern);
      for (const [path] of line.matchAll(/(?<=\s)(?:\.\/)?(?:server|test|scripts|sdk|cli)\b[\w./-]*(?=\s|$)/g))
        assert.ok(existsSync(join(ROOT, path)), `${at}: ${path}`);
    }
    assert.ok(patterns.length >= 3);
    const files = testFiles();
    for (const pattern of patterns)
      assert.ok(files.some((file) => file.includes(pattern)) || filesWithTitle(files, pattern).length > 0, pattern);
  });

  it('asks for a process of its own as the runner of the tests understands it', () => {
    const [block] = blocks.filter(({ language, text }) => language === 'ts' && text.includes('own process'));
    const users = testFiles().filter(needsOwnProcess);
    assert.ok(block && users.length > 0);
    assert.match(block.text, /^\/\/ own process: \S/m);
  });
});
