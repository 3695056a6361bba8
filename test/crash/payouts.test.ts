import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPayer, type Payer } from '../support/clients/client.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { assertFeesTakenTogether, FEE_MICRO, signedEntry } from '../support/money/crashed-payments.ts';
import {
  assertPaidAfter,
  assertPaidTogether,
  cancelAsOperator,
  stopPayouts,
} from '../support/money/crashed-payouts.ts';
import { crashWorld } from '../support/processes/crash-world.ts';
import { until } from '../support/processes/processes.ts';

// SIGKILL ends the process while its jobs send money: prizes and refunds, one by one or several in one transaction, and
// amounts that are too small for a transfer. After a restart, each recipient is paid once, and the projects end.

const USDC = 1_000_000;
// Refunds of entry fees below this amount are credited.
const world = await crashWorld({ env: { MIN_TRANSFER_USDC: '0.2' } });
const { db, chain, url, market, operatorKey } = world;

it('a prize and refunds are paid once if the crash was in the booking', () =>
  assertPaidAfter(world, 'in the booking', true));

it('payouts that share a transaction are paid once each if the crash was between two bookings', () =>
  assertPaidTogether(world, 'between two bookings'));

it('fees that share a transaction count once each if it was dropped while the process was dead', async () => {
  const { id } = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
  const entries = await Promise.all(Array.from({ length: 4 }, () => signedEntry(world, id, 1_000)));
  await assertFeesTakenTogether(world, 'dropped while the process is dead', entries);
});

/** A project whose entry fee was paid by the wallet. */
async function paidBy(payer: Payer, entryFeeUsdc: number): Promise<OpenProject> {
  const project = await openProject(market, { entryFeeUsdc });
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: 1000, fetch: payer.pay };
  expectStatus(await requestUpload(url, request), 200);
  return project;
}

/** Cancels a project so that nothing but the refund of its entry fee is due, and that one is due from now on. */
async function oweFee(project: OpenProject, arm: () => Promise<void>) {
  await stopPayouts(world, true);
  await cancelAsOperator(world, project);
  await db`update payouts set due_at = now() + interval '1 hour' where project_id = ${project.id} and submission_id is null`;
  await arm();
  await stopPayouts(world, false);
}

async function refund({ id }: OpenProject) {
  const [row] = await db<{ state: string; txHash: string | null }[]>`
    select state, tx_hash as "txHash" from payouts where project_id = ${id} and submission_id is not null`;
  return row!;
}

async function wallet() {
  const payer = newPayer();
  await world.mintUsdc(payer.address, 2 * USDC);
  return payer;
}

describe('a small refund', () => {
  it('is credited once if the crash was before the commit', async () => {
    const payer = await wallet();
    const project = await paidBy(payer, 0.1);
    await oweFee(project, () => world.crashAt('before the commit', 1, "set state = 'credited'"));
    await world.killed();
    assert.equal((await refund(project)).state, 'ready');
    await world.restart();
    await until('the credit', async () => (await refund(project)).state === 'credited');
    const { accounts } = await ledger({ url, operatorKey });
    assert.equal(accounts.find(({ account }) => account === `payable:${payer.address}`)?.balance_micro, 100_000);
  });

  it('goes out once with the next transfer if the crash was in the booking', async () => {
    const payer = await wallet();
    const [small, next] = [await paidBy(payer, 0.1), await paidBy(payer, 0.4)];
    await oweFee(small, async () => {});
    await until('the credit', async () => (await refund(small)).state === 'credited');
    await oweFee(next, () => world.crashAt('in the booking'));
    await world.killed();
    await world.restart();
    await until('the transfer', async () => (await refund(next)).state === 'settled');
    assert.deepEqual(await refund(small), await refund(next));
    assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
  });
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
  const [row] = await db`
    select 1 from payouts p join payments m on m.subject_id = p.id left join ledger_journals j on j.payment_id = m.id
    group by p.id having count(distinct m.id) <> 1 or count(distinct j.id) <> 1`;
  assert.equal(row, undefined, 'each payout has one payment and one journal');
});
