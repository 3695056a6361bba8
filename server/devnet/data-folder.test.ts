import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { DataFolderBusy, DataFolderUnusable, openDataFolder } from './data-folder.ts';

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

test('a killed holder frees the folder immediately', async (t) => {
  const path = await temporary(t);
  const other = await otherStart(t, path);
  other.kill('SIGKILL');
  await once(other, 'exit');
  openDataFolder(path).release();
});

test('a released folder can be opened again, but not twice at the same time', async (t) => {
  const path = await temporary(t);
  const first = openDataFolder(path);
  assert.throws(() => openDataFolder(path), DataFolderBusy);
  first.release();
  openDataFolder(path).release();
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

test(
  'names the owner of a folder that this user may not write',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async (t) => {
    const path = await temporary(t);
    await mkdir(join(path, 'data'), { mode: 0o755 });
    process.seteuid?.(65_534);
    try {
      assert.throws(
        () => openDataFolder(join(path, 'data', 'mine')),
        /this user may not write there \(.* belongs to uid 0\)/,
      );
    } finally {
      process.seteuid?.(0);
    }
  },
);
