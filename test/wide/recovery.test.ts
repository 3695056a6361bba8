import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { createIntent, expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { codeIs } from '../support/clients/entries.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, type ServiceProcess } from '../support/processes/service-processes.ts';
import { startRelay } from '../support/servers/relay.ts';
import { debianPostgres, postgresClusters } from '../support/servers/postgres-cluster.ts';
import { draw } from '../support/test-pictures.ts';

// A real PostgreSQL loses its newest transactions: by a failover to a streaming replica that did not get them, under a process
// that goes on, and by a recovery to a point in time from archived WAL. The service notices it, and a recovery that is killed
// in the middle and repeated books what the chain shows. Then payouts flow.

const bin = await debianPostgres();
const skip = bin !== null || process.env['CI'] ? false : "needs Debian's PostgreSQL";

describe('a PostgreSQL that lost its newest transactions', { skip }, async () => {
  assert.ok(bin, "CI must provide Debian's PostgreSQL");
  const clusters = await postgresClusters(bin);
  const archive = join(clusters.home, 'archive');
  const settings = ["archive_mode = 'on'", `archive_command = 'mkdir -p ${archive} && cp %p ${archive}/%f'`];
  const primary = await clusters.start(await clusters.create('primary', settings), await freePort());
  process.env['TEST_DATABASE_URL'] = primary.url;
  const ground = await prepareWorld();
  // Hooks run in the order of their registration: the world drops its database first.
  after(() => clusters.remove());
  // The service reaches its database by one relay, and the replica streams from it by another.
  const [front, stream] = [await startRelay(primary.port), await startRelay(primary.port)];
  after(() => Promise.all([front.cut(), stream.cut()]));
  const [{ name }] = await ground.db<[{ name: string }]>`select current_database() as name`;
  const urlOf = (port: number) => `postgres://concours@127.0.0.1:${port}/${name}`;
  const first = await ground.start(undefined, urlOf(front.port));
  const { url } = first;
  const { operatorKey: key } = ground;
  const market = { url, mintUsdc: ground.mintUsdc };

  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const open = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  // Each loss is followed by the refund of one of these.
  const flows = [await openProject(market, { prizeUsdc: 1 }), await openProject(market, { prizeUsdc: 1 })] as const;
  const entries: Contestant[] = [];
  for (const seed of [1, 2])
    entries.push(await enter(market, project, { picture: Buffer.from(await draw(seed).png().toBuffer()) }));
  const [winner] = entries as [Contestant];
  expectStatus(await close(market, project), 200);
  const intent = await createIntent(url, winner.key, open.id);
  await ledger({ url, operatorKey: key });
  const base = await clusters.backUp(primary, 'base');
  const replica = await clusters.backUp(primary, 'replica');
  await writeFile(join(replica, 'standby.signal'), '', { mode: 0o644 });
  const standby = await clusters.start(replica, await freePort(), [
    `primary_conninfo=host=127.0.0.1 port=${stream.port} user=concours`,
    'archive_mode=off',
    'hot_standby=on',
  ]);
  await until('the replica', async () => {
    const [row] = await ground.db`
      select 1 from pg_stat_replication where state = 'streaming' and replay_lsn = pg_current_wal_lsn()`;
    return row !== undefined;
  });
  const [{ target }] = await ground.db<[{ target: string }]>`select clock_timestamp()::text as target`;
  await stream.cut();

  const request = { key: winner.key, projectId: open.id, submissionId: intent.id, sizeBytes: 1000 };
  const upload = () => requestUpload(url, { ...request, fetch: winner.payer.pay });
  expectStatus(await choose(market, project, winner), 200);
  expectStatus(await upload(), 200);
  await until('the prize', async () => {
    const [row] = await ground.db`select 1 from payouts where state = 'settled'`;
    return row !== undefined;
  });
  await ground.db`select pg_switch_wal()`;
  const balance = await ground.chain.balanceMicro(winner.payer.address);

  const recover = () => call(url, 'POST', '/operator/recovery', { key, body: { dry_run: false } });

  /** The process runs on the older database. `loss`: its number, because each earlier one has paid a refund since. */
  async function assertRecovers(service: ServiceProcess, databaseUrl: string, loss: 0 | 1): Promise<void> {
    const db = createPool({ url: databaseUrl, connections: 1 });
    try {
      await until('the comparison', async () => {
        const rows = await db`select 1 from recovery_state where needed_since is not null`;
        return rows.length === 1;
      });
      assert.equal((await db`select 1 from payouts`).length, 0, 'the award is lost');
      const held = await ground.chain.balanceMicro(ground.treasury);
      codeIs(await upload(), 503, 'INTERNAL_ERROR', /Nothing was charged/);
      await service.crashAt('after the commit', 3);
      await recover().catch(() => null);
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      const next = await ground.start(Number(new URL(url).port), databaseUrl);
      const report = expectStatus(await recover(), 200).body.data;
      assert.deepEqual([report.returned, report.unknown], [0, 0], JSON.stringify(report));
      const again = expectStatus(await recover(), 200).body.data;
      assert.deepEqual([again.transfers, again.problems], [[], []]);
      assert.ok(again.recovered_until);
      const [ended] = await db`select status, winner_submission_id as winner from projects where id = ${project.id}`;
      assert.deepEqual([ended?.['status'], ended?.['winner']], ['completed', winner.submissionId]);
      const [fee] = await db`select entry_fee_paid_micro as micro from submissions where id = ${intent.id}`;
      assert.equal(fee?.['micro'], 250_000);
      assert.equal((await db`select 1 from projects where status = 'cancelled'`).length, loss);
      expectStatus(await upload(), 200);
      assert.deepEqual(
        [await ground.chain.balanceMicro(winner.payer.address), await ground.chain.balanceMicro(ground.treasury)],
        [balance, held],
      );
      const { id, funder } = flows[loss];
      const body = { reason: 'A test' };
      expectStatus(await call(url, 'POST', `/operator/projects/${id}/cancel`, { key, body }), 200);
      await until('the refund', async () => (await ground.chain.balanceMicro(funder.address)) === 1_000_000);
      await until('its booking', async () => (await db`select 1 from payouts where state <> 'settled'`).length === 0);
      assert.deepEqual((await ledger({ url, operatorKey: key })).problems, []);
      await next.running.kill('SIGKILL');
    } finally {
      await db.end({ timeout: 1 });
    }
  }

  it('is noticed by a running process, and recovered, after a failover to a replica without them', async () => {
    await front.cut();
    await clusters.program('pg_ctl', ['promote', '-w', '-D', replica]);
    await front.mend(standby.port);
    await assertRecovers(first, urlOf(standby.port), 0);
  });

  it('is recovered after a return to a point in time', async () => {
    await writeFile(join(base, 'recovery.signal'), '', { mode: 0o644 });
    const restored = await clusters.start(base, await freePort(), [
      `restore_command=cp ${archive}/%f %p`,
      `recovery_target_time=${target}`,
      'recovery_target_action=promote',
      'archive_mode=off',
    ]);
    const db = createPool({ url: restored.url, connections: 1 });
    await until('the end of its recovery', async () => {
      const [row] = await db<[{ busy: boolean }]>`select pg_is_in_recovery() as busy`;
      return !row.busy;
    });
    await db.end({ timeout: 1 });
    const databaseUrl = urlOf(restored.port);
    await assertRecovers(await ground.start(Number(new URL(url).port), databaseUrl), databaseUrl, 1);
  });
});
