import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { MAIN, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { s3ForTests } from './support/s3.ts';
import { measureFirstZip } from './support/zip-memory.ts';

const s3 = s3ForTests();

/** Starts `main.ts` on the S3 of the tests. */
async function measureOverS3(): Promise<void> {
  if (!('storage' in s3)) return;
  const folder = await mkdtemp(join(tmpdir(), 'concours-zip-'));
  const started: RunningProcess[] = [];
  // Hooks run in the order of their registration, and the processes must end before their database.
  after(async () => {
    for (const running of started) await running.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
  const { db, url: databaseUrl } = await testDatabase();
  await measureFirstZip({
    name: 'S3',
    db,
    storage: s3.storage,
    async start(port) {
      const used = port ?? (await freePort());
      const env = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), PORT: String(used), ...s3.settings };
      const running = startScript(MAIN, [], { env });
      started.push(running);
      const url = `http://127.0.0.1:${used}`;
      await untilReady(running, url);
      return { url, running };
    },
  });
}

if ('storage' in s3) await measureOverS3();
else test('the memory of the first ZIP, over S3', s3);
