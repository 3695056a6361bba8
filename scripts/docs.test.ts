import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { access, appendFile, glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorStatus } from '../contract/basics/errors.ts';
import type { Setting } from '../server/settings/setting.ts';
import { settings } from '../server/settings/settings.ts';

const ROOT = join(import.meta.dirname, '..');
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

/** Returns the Markdown files of the repository, relative to its root. */
async function markdownFiles(): Promise<string[]> {
  const folders =
    '{docs,docs/decisions,docs/operators,docs/runbooks,contract,console,demo,sdk,cli,bench,test,patches,server,server/**}';
  return await Array.fromAsync(glob(['*.md', `${folders}/*.md`], { cwd: ROOT }));
}

function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between pages has an existing target', async () => {
  let links = 0;
  for (const file of await markdownFiles()) {
    const text = await readFile(join(ROOT, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? join(ROOT, file) : join(ROOT, file, '..', path);
      await assert.doesNotReject(access(linked), `${file} links to ${target}`);
      if (anchor) assert.ok(anchorsOf(await readFile(linked, 'utf8')).includes(anchor), `${file} links to ${target}`);
      links += 1;
    }
  }
  assert.ok(links > 5);
});

test('the pages name every table, every folder of the server, and every dependency', async () => {
  const pages = ['docs/architecture.md', 'docs/dependencies.md', 'server/README.md'].map((path) =>
    readFile(join(ROOT, path), 'utf8'),
  );
  const page = (await Promise.all(pages)).join('\n');
  const migrations = join(ROOT, 'server', 'migrations');
  const sql = await Promise.all((await readdir(migrations)).map((name) => readFile(join(migrations, name), 'utf8')));
  const tables = [...sql.join('\n').matchAll(/^create (?:unlogged )?table (\w+)\b(?! partition of)/gm)].map(
    ([, name]) => name ?? '',
  );
  const folders = await readdir(join(ROOT, 'server'), { withFileTypes: true });
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = [
    ...tables.map((name) => `\`${name}\``),
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`),
    ...Object.keys(dependencies).map((name) => `\`${name}\``),
  ];
  assert.ok(tables.length > 10);
  assert.deepEqual(
    names.filter((name) => !page.includes(name)),
    [],
  );
});
