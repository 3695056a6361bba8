import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { expectStatus, ledger, openProject } from '../support/clients/journey.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { toldEvents } from '../support/told-events.ts';

// A project begins and ends after the dump: its prize and its fee came in, and the prize went out to the winner. The restored
// database knows nothing of it, so the prize must not go back to the poster as well.

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 500 } });
const restored = await testDatabase();
const first = await ground.start();
const { url } = first;
const key = ground.operatorKey;
const market = { url, mintUsdc: ground.mintUsdc };
const operator = { url, operatorKey: key };
const balance = (address: string) => ground.chain.balanceMicro(address);
const operate = async (path: string, body: object) =>
  expectStatus(await call(url, 'POST', `/operator${path}`, { key, body }), 200).body.data;

/** Opens a project, and pays its prize to the only entrant. */
async function wonProject() {
  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const winner = await enter(market, project);
  expectStatus(await close(market, project), 200);
  const before = await balance(winner.payer.address);
  expectStatus(await choose(market, project, winner), 200);
  await until('the prize', async () => (await balance(winner.payer.address)) === before + 950_000);
  return project;
}

await wonProject();
await ledger(operator);
await copyDatabase(ground.db, restored.db);
const lost = await wonProject();
await first.running.kill('SIGKILL');
await ground.start(Number(new URL(url).port), restored.url);

describe('a recovery that finds the prize of a lost project', () => {
  it('holds what came in for that project until the operator releases it', async () => {
    await until('the alert', async () => (await toldEvents(restored.db, 'ALERT.RECOVERY_NEEDED')).length > 0);
    const plan = await operate('/recovery', { dry_run: true });
    assert.deepEqual([plan.unknown, plan.returned], [1, 2], JSON.stringify(plan));
    const { transfers } = await operate('/recovery', { dry_run: false });
    type Found = { outcome: string; tx_hash: string; log_index: number; note: string | null };
    const unknown = (transfers as Found[]).find(({ outcome }) => outcome === 'unknown');
    for (const { note } of (transfers as Found[]).filter(({ outcome }) => outcome === 'returned'))
      assert.match(String(note), /It is held/);
    await operate('/recovery/adopt', {
      tx_hash: unknown?.tx_hash,
      log_index: unknown?.log_index,
      reason: 'A lost prize',
    });
    const last = await operate('/recovery', { dry_run: false });
    assert.ok(last.recovered_until, JSON.stringify(last));
    const held = await restored.db<{ id: string; state: string; recipient: string }[]>`
      select id, state, recipient from payouts where kind = 'return' order by amount_micro`;
    assert.deepEqual(
      held.map(({ state }) => state),
      ['held', 'held'],
    );
    assert.equal(await balance(lost.funder.address), 0);
    // The operator knows that the entrant lost its fee for nothing.
    const [fee] = held;
    await operate(`/payouts/${fee?.id}/retry`, { reason: 'Only the fee' });
    await until(
      'the fee',
      async () => (await restored.db`select 1 from payouts where id = ${fee!.id} and state = 'settled'`).length === 1,
    );
    assert.equal(await balance(lost.funder.address), 0);
    assert.deepEqual((await ledger(operator)).problems, []);
  });
});
