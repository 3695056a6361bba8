import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { DataFolderBusy, DataFolderUnusable, openDataFolder } from './data-folder.ts';
import { loadSecrets, SecretsUnreadable } from './secrets.ts';

async function temporary(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'concours-data-')));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Another process that opens the folder and stays. */
async function otherStart(t: TestContext, folder: string) {
  const script = `
    import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))};
    openDataFolder(${JSON.stringify(folder)});
    console.log('open');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('creates the folder and its parts for this user only', async (t) => {
  const path = join(await temporary(t), 'deep', 'data');
  const folder = openDataFolder(path);
  t.after(() => folder.release());
  assert.equal(folder.path, path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.equal((await stat(folder.folder('chain'))).mode & 0o777, 0o700);
});

test('a second start on the same folder is refused, naming the folder and the holder', async (t) => {
  const path = await temporary(t);
  const other = await otherStart(t, path);
  assert.throws(
    () => openDataFolder(path),
    (error) =>
      error instanceof DataFolderBusy &&
      error.folder === path &&
      error.holderPid === other.pid &&
      error.message.includes(path),
  );
});

test('says why the folder cannot be created', async (t) => {
  const path = await temporary(t);
  await writeFile(join(path, 'file'), '');
  assert.throws(
    () => openDataFolder(join(path, 'file', 'data')),
    (error) =>
      error instanceof DataFolderUnusable &&
      /a part of the path is a file/.test(error.message) &&
      /DATA_DIR/.test(error.message),
  );
  assert.throws(() => openDataFolder(join(path, 'file')), /there is a file of that name/);
});

test('generates each secret once, readable by this user only', async (t) => {
  const folder = await temporary(t);
  const first = await loadSecrets(folder, randomBytes);
  assert.equal((await stat(join(folder, 'secrets.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await loadSecrets(folder, randomBytes), first);
  assert.equal(new Set(Object.values(first)).size, Object.keys(first).length);
});

test('a damaged file is never replaced: its keys own money', async (t) => {
  const folder = await temporary(t);
  const file = join(folder, 'secrets.json');
  for (const damaged of ['', '{"treasuryKey":', '{"treasuryKey":"0x12"}', '[]x']) {
    await writeFile(file, damaged);
    await assert.rejects(loadSecrets(folder, randomBytes), SecretsUnreadable);
    assert.equal(await readFile(file, 'utf8'), damaged);
  }
});
