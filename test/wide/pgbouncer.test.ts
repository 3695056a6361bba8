import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
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
import { type PoolMode, startPgbouncer } from '../support/servers/pgbouncer.ts';
import { removeFolder } from '../support/remove-folder.ts';

const database = process.env['POSTGRES_TEST_URL'];
const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
const missing = [...(database ? [] : ['POSTGRES_TEST_URL']), ...(hasPooler ? [] : ['pgbouncer'])];
const skip = missing.length === 0 || process.env['CI'] ? false : `needs ${missing.join(' and ')}`;

// Debian's PgBouncer is 1.18, which knows no prepared statements in transaction mode.
const modes: { mode: PoolMode; prepare: string }[] = [
  { mode: 'session', prepare: 'true' },
  { mode: 'transaction', prepare: 'false' },
];

for (const { mode, prepare } of modes) {
  describe(`behind PgBouncer in ${mode} mode`, { skip }, () => {
    const name = `pooled_${randomBytes(6).toString('hex')}`;
    let folder: string;
    let url: string;
    let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
    let service: RunningProcess;

    async function onServer(sql: string): Promise<void> {
      const admin = createPool({ url: database ?? '', connections: 1 });
      await admin.unsafe(sql);
      await admin.end();
    }

    async function start(): Promise<void> {
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      service = startScript(MAIN, [], {
        env: {
          NODE_ENV: 'development',
          PORT: String(port),
          DATA_DIR: folder,
          DATABASE_URL: pooler.url,
          DATABASE_PREPARE: prepare,
          DATABASE_POOLER: 'true',
        },
      });
      await untilReady(service, url);
    }

    before(async () => {
      assert.ok(missing.length === 0, `CI must provide ${missing.join(' and ')}`);
      await onServer(`create database ${name}`);
      folder = await mkdtemp(join(tmpdir(), 'concours-pooled-'));
      const direct = new URL(database ?? '');
      direct.pathname = `/${name}`;
      pooler = await startPgbouncer(direct.toString(), mode);
      await start();
    });

    after(async () => {
      await service?.kill('SIGKILL');
      await pooler?.stop();
      if (folder) await removeFolder(folder);
      if (database) await onServer(`drop database if exists ${name} with (force)`);
    });

    const withDirect = async <T>(work: (db: ReturnType<typeof createPool>) => Promise<T>): Promise<T> => {
      const direct = Object.assign(new URL(database ?? ''), { pathname: `/${name}` });
      const db = createPool({ url: direct.href, connections: 2 });
      try {
        return await work(db);
      } finally {
        await db.end({ timeout: 1 });
      }
    };

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

    it('broadcasts again once the lease of a killed holder is over, by the clock of the database', async () => {
      const project = await openProject({ url });
      await withDirect(async (db) => {
        const [lane] = await db<{ address: string }[]>`select address from signer_lanes`;
        assert.ok(lane);
        await db.unsafe(`
          create table lane_taken (at timestamptz, from_holder text, lease_until timestamptz);
          create function note_lane() returns trigger language plpgsql as $$ begin
            insert into lane_taken values (clock_timestamp(), old.holder, old.lease_until); return null; end $$;
          create trigger note_lane after update on signer_lanes for each row
            when (new.holder <> old.holder) execute function note_lane()`);
        const args = [pooler.url, lane.address, prepare];
        const holder = startScript('test/support/processes/lane-holder.ts', args);
        await until('the lane is held', async () => holder.output().includes('holds the lane'));
        const leaseOf = async () => {
          const [row] = await db<{ holder: string; until: string }[]>`
            select holder, lease_until::text as until from signer_lanes`;
          return row?.holder === 'killed' ? row.until : null;
        };
        const first = await leaseOf();
        assert.ok(first);
        await until('the lease was renewed', async () => (await leaseOf()) !== first);
        const paying = enter(project.id, 100);
        await holder.kill('SIGKILL');
        const [atKill] = await db<{ within: boolean }[]>`
          select lease_until <= clock_timestamp() + interval '5 s' as within from signer_lanes where holder = 'killed'`;
        assert.notEqual(atKill?.within, false, 'a lease lasts 5 s at most');
        await paying;
        const [taken, ...more] = await db<{ waited: boolean }[]>`
          select at >= lease_until as waited from lane_taken where from_holder = 'killed'`;
        assert.deepEqual([{ ...taken }, more.length], [{ waited: true }, 0]);
        await db.unsafe('drop trigger note_lane on signer_lanes; drop function note_lane; drop table lane_taken');
      });
    });

    it('goes on after a restart of the pooler, without a restart of the service', async () => {
      const { key } = await registerAgent(url);
      const { port } = new URL(pooler.url);
      await pooler.stop();
      const refused = await call(url, 'GET', '/agents/me/keys', { key });
      assert.deepEqual([refused.status, refused.body.error.code], [503, 'DATABASE_ERROR']);
      const direct = new URL(database ?? '');
      direct.pathname = `/${name}`;
      pooler = await startPgbouncer(direct.toString(), mode, Number(port));
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
}
