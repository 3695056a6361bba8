import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorStatus } from '../contract/errors.ts';
import { settings } from '../server/settings.ts';

const SCRIPT = join(import.meta.dirname, 'docs.ts');
const folder = await mkdtemp(join(tmpdir(), 'concours-docs-'));
after(() => rm(folder, { recursive: true }));

function docs(...args: string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
}

test('the generated pages are up to date', () => {
  const { status, stderr } = docs('--check');
  assert.equal(status, 0, stderr);
});

test('a page that was edited or is missing fails the check, by name', async () => {
  assert.equal(docs('--check', '--folder', folder).status, 1);
  assert.equal(docs('--folder', folder).status, 0);
  assert.equal(docs('--check', '--folder', folder).status, 0);
  await appendFile(join(folder, 'errors.md'), 'one more line\n');
  const { status, stderr } = docs('--check', '--folder', folder);
  assert.equal(status, 1);
  assert.match(stderr, /errors\.md is out of date/);
  assert.doesNotMatch(stderr, /settings\.md/);
});

test('every setting and every error code has its row', async () => {
  assert.equal(docs('--folder', folder).status, 0);
  const settingsPage = await readFile(join(folder, 'settings.md'), 'utf8');
  for (const name of Object.keys(settings)) assert.match(settingsPage, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  const errorsPage = await readFile(join(folder, 'errors.md'), 'utf8');
  for (const [code, status] of Object.entries(errorStatus)) {
    assert.match(errorsPage, new RegExp(`^\\| \`${code}\` \\| ${status} \\| .+ \\| .+ \\| .+ \\|$`, 'm'));
  }
});
