import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { createIntent, expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { debianPostgres, postgresClusters } from '../support/servers/postgres-cluster.ts';
import { draw } from '../support/test-pictures.ts';

// A real PostgreSQL loses its newest transactions: by a recovery to a point in time from archived WAL, and by a failover to
// a replica that lagged behind. The service recovers what the chain shows.

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
  const first = await ground.start();
  const { url } = first;
  const { operatorKey: key } = ground;
  const market = { url, mintUsdc: ground.mintUsdc };

  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const open = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const entries: Contestant[] = [];
  for (const seed of [1, 2])
    entries.push(await enter(market, project, { picture: Buffer.from(await draw(seed).png().toBuffer()) }));
  const [winner] = entries as [Contestant];
  expectStatus(await close(market, project), 200);
  const intent = await createIntent(url, winner.key, open.id);
  await ledger({ url, operatorKey: key });
  const [{ name }] = await ground.db<[{ name: string }]>`select current_database() as name`;
  // The base backup of the point in time, and a replica that then gets nothing more.
  const [base, replica] = [await clusters.backUp(primary, 'base'), await clusters.backUp(primary, 'replica')];
  const [{ target }] = await ground.db<[{ target: string }]>`select clock_timestamp()::text as target`;

  expectStatus(await choose(market, project, winner), 200);
  const request = { key: winner.key, projectId: open.id, submissionId: intent.id, sizeBytes: 1000 };
  expectStatus(await requestUpload(url, { ...request, fetch: winner.payer.pay }), 200);
  await until('the prize', async () => {
    const [row] = await ground.db`select 1 from payouts where state = 'settled'`;
    return row !== undefined;
  });
  await ground.db`select pg_switch_wal()`;
  const balance = await ground.chain.balanceMicro(winner.payer.address);
  const held = await ground.chain.balanceMicro(ground.treasury);
  await first.running.kill('SIGKILL');

  async function assertRecovers(serverUrl: string): Promise<void> {
    const databaseUrl = new URL(serverUrl);
    databaseUrl.pathname = `/${name}`;
    const db = createPool({ url: databaseUrl.toString(), connections: 1 });
    try {
      assert.equal((await db`select 1 from payouts`).length, 0, 'the award is lost');
      const service = await ground.start(Number(new URL(url).port), databaseUrl.toString());
      const body = { dry_run: false };
      const report = expectStatus(await call(url, 'POST', '/operator/recovery', { key, body }), 200).body.data;
      assert.deepEqual([report.booked, report.returned, report.unknown], [2, 0, 0], JSON.stringify(report));
      assert.ok(report.recovered_until);
      const [ended] = await db`select status, winner_submission_id as winner from projects where id = ${project.id}`;
      assert.deepEqual([ended?.['status'], ended?.['winner']], ['completed', winner.submissionId]);
      const [fee] = await db`select entry_fee_paid_micro as micro from submissions where id = ${intent.id}`;
      assert.equal(fee?.['micro'], 250_000);
      assert.deepEqual((await ledger({ url, operatorKey: key })).problems, []);
      assert.deepEqual(
        [await ground.chain.balanceMicro(winner.payer.address), await ground.chain.balanceMicro(ground.treasury)],
        [balance, held],
      );
      await service.running.kill('SIGKILL');
    } finally {
      await db.end({ timeout: 1 });
    }
  }

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
    await assertRecovers(restored.url);
  });

  it('is recovered after a failover to a replica that lagged behind', async () => {
    await writeFile(join(replica, 'standby.signal'), '', { mode: 0o644 });
    const promoted = await clusters.start(replica, await freePort(), ['archive_mode=off', 'hot_standby=on']);
    await clusters.program('pg_ctl', ['promote', '-w', '-D', replica]);
    await assertRecovers(promoted.url);
  });
});
