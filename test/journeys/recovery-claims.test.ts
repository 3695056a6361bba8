import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { requireRecovery } from '../../server/ledger/public.ts';
import { ChainUnavailable } from '../../server/ports/chain.ts';
import { FacilitatorUnavailable } from '../../server/ports/facilitator.ts';
import { sendPlainly, STRANGER } from '../support/money/authorizations.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A dump can hold the claim of a payment, in or out, whose outcome the service did not know yet. A recovery books it by its
// authorization. And it gives plain transfers back that a check has recorded since the recovery was needed.

/** While it is set, payments reach the chain, and the service learns nothing of it. */
let silent = false;
const world = await startWorld({
  wrap: ({ facilitator, chain }) => ({
    facilitator: {
      ...facilitator,
      async settle(...given) {
        const settlement = await facilitator.settle(...given);
        if (silent) throw new FacilitatorUnavailable();
        return settlement;
      },
    },
    chain: {
      ...chain,
      async authorization(query) {
        if (silent) throw new ChainUnavailable();
        return await chain.authorization(query);
      },
    },
  }),
});
const { url, operatorKey: key } = world;
const { db, chain, payTo, payments } = world.service.deps;
const operate = async (path: string, body: object) =>
  expectStatus(await call(url, 'POST', `/operator${path}`, { key, body }), 200).body.data;
const recover = () => operate('/recovery', { dry_run: false });
const problems = async () => (await ledger({ url, operatorKey: key })).problems;

describe('a recovery', () => {
  it('books the payments, in and out, that the database has claimed and not settled', async () => {
    const judged = await openProject(world, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
    const open = await openProject(world, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
    const winner = await enter(world, judged);
    expectStatus(await close(world, judged), 200);
    const late = await enter(world, open, { until: 'intent' });
    const { submissionId } = late;
    silent = true;
    payments.waitMs = 300;
    const request = { key: late.key, projectId: open.id, submissionId, sizeBytes: 1000, fetch: late.payer.pay };
    codeIs(await requestUpload(url, request), 503, 'PAYMENT_PENDING');
    expectStatus(await choose(world, judged, winner), 200);
    await until('the prize', async () => (await chain.balanceMicro(winner.payer.address)) === 750_000 + 950_000);
    const report = await recover();
    assert.deepEqual([report.booked, report.unknown, report.returned], [2, 0, 0], JSON.stringify(report));
    for (const { subject } of report.transfers) assert.match(subject, /^payment:/);
    assert.ok(report.recovered_until);
    const states = await db<{ state: string }[]>`select state from payments where state <> 'settled'`;
    assert.equal(states.length, 0);
    const [fee] = await db`select entry_fee_paid_micro as micro from submissions where id = ${submissionId}`;
    const [project] = await db`select status from projects where id = ${judged.id}`;
    assert.deepEqual([fee?.['micro'], project?.['status']], [250_000, 'completed']);
    silent = false;
    assert.deepEqual((await recover()).transfers, []);
    assert.deepEqual(await problems(), []);
  });

  it('returns a plain transfer that a check has recorded since the recovery was needed, and no older one', async () => {
    const rpc = rpcClient(world.chain.rpcUrl);
    await world.chain.mintUsdc(STRANGER, 5_000_000);
    await sendPlainly(rpc, payTo, 2_000_000);
    assert.deepEqual(await problems(), []);
    await requireRecovery(db, 'a test', world.clock.now());
    await sendPlainly(rpc, payTo, 3_000_000);
    assert.deepEqual(await problems(), []);
    const report = await recover();
    assert.deepEqual([report.returned, report.transfers[0]?.amount_micro], [1, 3_000_000], JSON.stringify(report));
    await until('the return', async () => {
      const [row] = await db`select 1 from payouts where kind = 'return' and state = 'settled'`;
      return row !== undefined;
    });
    assert.equal(await chain.balanceMicro(STRANGER), 3_000_000);
    assert.deepEqual((await recover()).transfers, []);
  });
});
