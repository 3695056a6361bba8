import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { startScript } from '../support/processes/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { debianPostgres, postgresClusters } from '../support/servers/postgres-cluster.ts';
import { s3ForTests } from '../support/servers/s3.ts';
import { closeAll, openWorld } from '../support/worlds/service-world.ts';

// The commands `backup` and `restore`, on Debian's PostgreSQL with its programs and on an S3.

const bin = await debianPostgres();
const s3 = s3ForTests();
const missing = bin ? ('skip' in s3 ? s3.skip : false) : 'needs the PostgreSQL of Debian';
const folder = await mkdtemp(join(tmpdir(), 'concours-backup-'));
after(() => removeFolder(folder));

type Ran = { code: number | string; output: string };

async function command(args: string[], env: Record<string, string>): Promise<Ran> {
  const running = startScript('server/command/concours-server.mjs', args, { env });
  return { code: await running.ended, output: running.output() };
}

if (bin === null || 'skip' in s3) it('backs up and restores a market', { skip: missing }, () => {});
else {
  const clusters = await postgresClusters(bin);
  const closers: (() => Promise<unknown> | void)[] = [() => clusters.remove()];
  after(() => closeAll(closers));
  const cluster = await clusters.start(await clusters.create('main', []), await freePort());
  const urlOf = (name: string) => cluster.url.replace(/postgres$/, name);
  for (const name of ['market', 'restored'])
    await clusters.program('createdb', ['-h', '127.0.0.1', '-p', String(cluster.port), '-U', 'concours', name]);
  const world = await openWorld({ databaseUrl: urlOf('market'), wrap: () => ({ storage: s3.storage }) }, closers);
  const { enter, upload, confirmOf } = entriesOf(world);
  const envOf = (name: string) => ({ ...s3.env, DATABASE_URL: urlOf(name), NODE_ENV: 'development' });
  const backup = join(folder, 'backup');
  let original: { key: string; bytes: Buffer };

  it('backs up a market while it runs', async () => {
    const entry = await enter((await openProject(world)).id);
    await upload(entry);
    expectStatus(await confirmOf(entry), 200);
    const [file] = await world.service.deps.db<{ key: string; size: number }[]>`
      select original_key as key, size_bytes as size from media_files where status = 'completed'`;
    assert.ok(file);
    original = { key: file.key, bytes: (await s3.storage.read(file.key, file.size))! };
    const { code, output } = await command(['backup', backup], envOf('market'));
    assert.equal(code, 0, output);
    assert.match(output, /Backed up \d+ rows of \d+ tables and 1 objects/);
    const again = await command(['backup', backup], envOf('market'));
    assert.deepEqual([again.code, /is not empty/.test(again.output)], [1, true], again.output);
  });

  it('restores nothing over data, and nothing from a damaged backup', async () => {
    const over = await command(['restore', backup], envOf('market'));
    assert.deepEqual([over.code, /the database is not empty/.test(over.output)], [1, true], over.output);
    await s3.storage.write(original.key, Buffer.from('other bytes'), 'image/png');
    const other = await command(['restore', backup], envOf('restored'));
    assert.deepEqual([other.code, /the bucket has other bytes/.test(other.output)], [1, true], other.output);
    await s3.storage.remove(original.key);
    const path = join(backup, 'objects', original.key);
    await appendFile(path, 'x');
    const damaged = await command(['restore', backup], envOf('restored'));
    assert.deepEqual([damaged.code, /changed in the backup/.test(damaged.output)], [1, true], damaged.output);
    await writeFile(path, original.bytes);
  });

  it('restores the rows, the books, and the originals', async () => {
    const { code, output } = await command(['restore', backup], envOf('restored'));
    assert.equal(code, 0, output);
    assert.match(output, /1 objects, of which 1 were missing\. Now run: concours-server migrate/);
    assert.deepEqual(await s3.storage.read(original.key, original.bytes.length), original.bytes);
    const migrated = await command(['migrate'], envOf('restored'));
    assert.deepEqual([migrated.code, /Nothing to apply/.test(migrated.output)], [0, true], migrated.output);
  });
}

it('copies the folder of a development start that is stopped', async () => {
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  await mkdir(join(data, 'postgres'), { recursive: true });
  await writeFile(join(data, 'postgres', 'PG_VERSION'), '18');
  const { code, output } = await command(['backup', copy], { DATA_DIR: data, NODE_ENV: 'development' });
  assert.equal(code, 0, output);
  assert.equal(await readFile(join(copy, 'postgres', 'PG_VERSION'), 'utf8'), '18');
});
