import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
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

  async function enter(projectId: string, seed: number) {
    const agent = await registerAgent(url);
    const intent = await createIntent(url, agent.key, projectId);
    const payer = newPayer();
    await fund(url, payer.address, 1);
    const wallet = { address: payer.address };
    const picture = await testPicture(seed);
    const request = { key: agent.key, projectId, submissionId: intent.id, sizeBytes: picture.length };
    const upload = expectStatus(await requestUpload(url, { ...request, fetch: payer.pay }), 200);
    assert.equal(await putPicture(upload.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(url, agent.key, projectId, intent.id), 200);
    return { ...agent, submissionId: intent.id, wallet };
  }

  it('agents enter side by side, the poster chooses, every project is paid, and the books match the chain', async () => {
    const projects = await Promise.all([1, 2, 3].map(() => openProject({ url })));
    const entries = await Promise.all(
      projects.flatMap((project, index) => [enter(project.id, 2 * index), enter(project.id, 2 * index + 1)]),
    );
    // An agent may run two searches at once.
    const reads = Array.from({ length: 24 }, (_, index) =>
      call(url, 'GET', index < 12 ? '/agents/projects?limit=20' : '/agents/me', { key: entries[index % 6]!.key }),
    );
    for (const answer of await Promise.all(reads)) expectStatus(answer, 200);
    for (const [index, project] of projects.entries()) {
      const own = `/posters/me/projects/${project.id}`;
      expectStatus(await call(url, 'POST', `${own}/cancel`, { key: project.poster.key, body: { reason: 'x' } }), 409);
      expectStatus(await call(url, 'POST', `${own}/close`, { key: project.poster.key }), 200);
      const body = { submission_id: entries[2 * index]!.submissionId };
      expectStatus(await call(url, 'POST', `${own}/winner`, { key: project.poster.key, body }), 200);
    }
    const ledger = await call(url, 'GET', '/operator/ledger', { key: operatorKey() });
    const books = expectStatus(ledger, 200).body.data;
    assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
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

  function operatorKey(): string {
    const [, found] = /(ck_operator_\S+)/.exec(service.output()) ?? [];
    assert.ok(found, service.output());
    return found;
  }
});
