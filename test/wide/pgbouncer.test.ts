import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { asPoster, closeAndChoose, enter } from '../support/clients/contestants.ts';
import { assertBooks, expectStatus, openProject, ownProject, registerAgent } from '../support/clients/journey.ts';
import { MAIN, type RunningProcess, startScript, until, untilReady } from '../support/processes/processes.ts';
import { startPgbouncer } from '../support/servers/pgbouncer.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { openDatabase } from '../support/test-database.ts';

const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
const skip = hasPooler || process.env['CI'] ? false : 'needs pgbouncer';

// Debian's PgBouncer is 1.18, which knows no prepared statements in transaction mode.

describe('behind PgBouncer in transaction mode', { skip }, () => {
  let removeDatabase: () => Promise<void> = async () => {};
  let directUrl: string;
  let folder: string;
  let url: string;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let service: RunningProcess;

  async function start(): Promise<void> {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = startScript(MAIN, [], {
      env: {
        NODE_ENV: 'development',
        PORT: String(port),
        DATA_DIR: folder,
        DATABASE_URL: pooler.url,
        DATABASE_PREPARE: 'false',
        DATABASE_POOLER: 'true',
      },
    });
    await untilReady(service, url);
  }

  before(async () => {
    assert.ok(hasPooler, 'CI must provide pgbouncer');
    const { db, url: databaseUrl } = await openDatabase({ empty: true, connections: 1 }, (close) => {
      removeDatabase = close;
    });
    directUrl = databaseUrl;
    // The server of the tests turns it off for speed, and a pooler passes on no such settings.
    await db.unsafe(`alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = on`);
    folder = await mkdtemp(join(tmpdir(), 'concours-pooled-'));
    pooler = await startPgbouncer(directUrl, 'transaction');
    await start();
  });

  after(async () => {
    await service?.kill('SIGKILL');
    await pooler?.stop();
    if (folder) await removeFolder(folder);
    await removeDatabase();
  });

  it('agents enter side by side, the poster chooses, every project is paid, and the books match the chain', async () => {
    const market = { url };
    const projects = await Promise.all([1, 2, 3].map(() => openProject(market)));
    const entries = await Promise.all(
      projects.flatMap((project, index) => [0, 1].map((more) => enter(market, project, { seed: 2 * index + more }))),
    );
    // An agent may run two searches at once.
    const reads = Array.from({ length: 24 }, (_, index) =>
      call(url, 'GET', index < 12 ? '/agents/projects?limit=20' : '/agents/me', { key: entries[index % 6]!.key }),
    );
    for (const answer of await Promise.all(reads)) expectStatus(answer, 200);
    for (const [index, project] of projects.entries()) {
      expectStatus(await asPoster(market, project, ['POST', '/cancel', { reason: 'x' }]), 409);
      expectStatus(await closeAndChoose(market, project, entries[2 * index]!), 200);
    }
    for (const project of projects)
      await until('the prize', async () => (await ownProject(market, project))['status'] === 'completed');
    const [, operatorKey = ''] = /(ck_operator_\S+)/.exec(service.output()) ?? [];
    await assertBooks({ url, operatorKey });
  });

  it('goes on after a restart of the pooler, without a restart of the service', async () => {
    const { key } = await registerAgent(url);
    const { port } = new URL(pooler.url);
    await pooler.stop();
    const refused = await call(url, 'GET', '/agents/me/keys', { key });
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'DATABASE_ERROR']);
    pooler = await startPgbouncer(directUrl, 'transaction', Number(port));
    await until('the service comes back', async () => (await fetch(`${url}/readyz`)).ok);
    for (let request = 0; request < 20; request += 1)
      await until('each connection', async () => (await call(url, 'GET', '/agents/me', { key })).status === 200);
  });
});
