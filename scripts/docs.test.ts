import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorStatus } from '../contract/basics/errors.ts';
import type { Setting } from '../server/settings/setting.ts';
import { settings } from '../server/settings/settings.ts';

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

test('the check fails and names each page that was edited or is missing', async () => {
  assert.equal(docs('--check', '--folder', folder).status, 1);
  assert.equal(docs('--folder', folder).status, 0);
  assert.equal(docs('--check', '--folder', folder).status, 0);
  await appendFile(join(folder, 'errors.md'), 'one more line\n');
  await appendFile(join(folder, 'decisions', 'README.md'), 'one more line\n');
  const { status, stderr } = docs('--check', '--folder', folder);
  assert.equal(status, 1);
  assert.match(stderr, /errors\.md is out of date/);
  assert.match(stderr, /decisions.README\.md is out of date/);
  assert.doesNotMatch(stderr, /settings\.md/);
});

test('the pages have a row for every setting and every error code', async () => {
  assert.equal(docs('--folder', folder).status, 0);
  const settingsPage = await readFile(join(folder, 'settings.md'), 'utf8');
  for (const [name, { secret }] of Object.entries<Setting>(settings)) {
    const shown = secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    assert.match(settingsPage, new RegExp(`^\\| ${shown} \\|`, 'm'));
  }
  const errorsPage = await readFile(join(folder, 'errors.md'), 'utf8');
  for (const [code, status] of Object.entries(errorStatus)) {
    assert.match(errorsPage, new RegExp(`^\\| \`${code}\` \\| ${status} \\| .+ \\| .+ \\| .+ \\|$`, 'm'));
  }
});
