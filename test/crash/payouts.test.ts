import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertBooks, openProject } from '../support/clients/journey.ts';
import { assertFeesTakenTogether, FEE_MICRO, signedEntry } from '../support/money/crashed-payments.ts';
import { assertPaidAfter, assertPaidTogether } from '../support/money/crashed-payouts.ts';
import { crashWorld } from '../support/processes/crash-world.ts';

// SIGKILL ends the process while its jobs send money: prizes and refunds, one by one or several in one transaction. After a
// restart, each recipient is paid once, and the projects end.

const world = await crashWorld();
const { db, market } = world;

it('a prize and refunds are paid once if the crash was in the booking', () =>
  assertPaidAfter(world, 'in the booking', true));

it('payouts that share a transaction are paid once each if the crash was between two bookings', () =>
  assertPaidTogether(world, 'between two bookings'));

it('fees that share a transaction count once each if it was dropped while the process was dead', async () => {
  const { id } = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
  const entries = await Promise.all(Array.from({ length: 4 }, () => signedEntry(world, id, 1_000)));
  await assertFeesTakenTogether(world, 'dropped while the process is dead', entries);
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
  const [row] = await db`
    select 1 from payouts p join payments m on m.subject_id = p.id left join ledger_journals j on j.payment_id = m.id
    group by p.id having count(distinct m.id) <> 1 or count(distinct j.id) <> 1`;
  assert.equal(row, undefined, 'each payout has one payment and one journal');
});
