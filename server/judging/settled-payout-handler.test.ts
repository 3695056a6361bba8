import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { checkJournals } from '../ledger/check-journals.ts';
import { postJournal } from '../ledger/post-journal.ts';
import { payoutsOfProjects } from '../payouts/queries.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { giveEarnings } from '../../test/support/rows/tier-awards.ts';
import { settledPayoutHandler } from './settled-payout-handler.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { settled } = settledPayoutHandler(world.deps);
const HASH = `0x${'9'.repeat(64)}`;

/**
 * Gives every payout of the project a wallet and settles the payouts one by one, as the bookings of their transfers do.
 */
async function settleAll(projectId: string, { atOnce = false } = {}): Promise<void> {
  const payouts = await payoutsOfProjects(db, [projectId]);
  const settle = (payout: (typeof payouts)[number]) =>
    withTransaction(db, async (tx) => {
      const [settledAt, recipient] = [world.at(), payout.recipient ?? `0x${'c'.repeat(40)}`];
      await tx`
        update payouts set state = 'settled', recipient = ${recipient}, sent_at = ${settledAt}, settled_at = ${settledAt},
          tx_hash = ${HASH} where id = ${payout.id}`;
      await postJournal(tx, {
        id: world.deps.newId(),
        kind: 'payout',
        paymentId: null,
        at: settledAt,
        lines: [
          { account: payout.debitAccount, amountMicro: payout.amountMicro },
          { account: 'treasury', amountMicro: -payout.amountMicro },
        ],
      });
      await settled(tx, { ...payout, state: 'settled', recipient, txHash: HASH, settledAt });
    });
  if (atOnce) await Promise.all(payouts.map(settle));
  else for (const payout of payouts) await settle(payout);
}

async function balances(projectId: string): Promise<Record<string, number>> {
  const { accounts, problems } = await checkJournals(db);
  assert.deepEqual(problems, []);
  const named = accounts.map(({ account, balanceMicro }) => [account.replace(`:${projectId}`, ''), balanceMicro]);
  return Object.fromEntries(named) as Record<string, number>;
}

const agentOf = async (id: string) =>
  (
    await db<{ pending: number; earned: number; tier: string }[]>`
      select pending_micro as pending, earned_micro as earned, tier from agents where id = ${id}`
  )[0];
const paidAt = async (id: string) =>
  (await db<{ at: Date | null }[]>`select paid_at as at from submissions where id = ${id}`)[0]?.at ?? null;

describe('a settled prize', () => {
  it("completes its project, and books the agent's earnings and the platform's fees", async () => {
    const { id, entries } = await world.judged([5, 3]);
    const before = (await balances(id))['revenue'] ?? 0;
    await world.choose(id, entries[0]!.id);
    world.advance(60_000);
    await settleAll(id);
    const project = await world.read(id);
    assert.deepEqual(
      [project.status, project.completed_at, project.payout_status, project.payouts[0]?.tx_hash],
      ['completed', world.at().toISOString(), 'settled', HASH],
    );
    assert.deepEqual(await agentOf(entries[0]!.agentId), { pending: 0, earned: 95_000_000, tier: 'starter' });
    assert.deepEqual([await paidAt(entries[0]!.id), await paidAt(entries[1]!.id)], [world.at(), null]);
    const { escrow = 0, fees = 0, revenue } = await balances(id);
    assert.deepEqual([escrow, fees, revenue! - before], [0, 0, 5_000_000 + 2 * 250_000]);
    assert.equal((await world.transitions(id)).at(-1), 'judging completed payout');
    assert.deepEqual(await world.audited(`project:${id}`), [
      'project.award poster null',
      'project.complete payout null',
    ]);
  });

  it('raises the tier by earnings: pro at 500 USDC, elite at 2000 USDC', async () => {
    const agentId = await world.newAgent();
    for (const [earned, tier] of [
      [404, 'starter'],
      [405, 'pro'],
      [1904, 'pro'],
      [1905, 'elite'],
    ] as const) {
      await giveEarnings(db, agentId, earned * 1_000_000);
      const id = await world.openProject();
      const entry = await world.enter(id, { agentId });
      await world.close(id);
      await world.choose(id, entry.id);
      await settleAll(id);
      assert.equal((await agentOf(agentId))?.tier, tier);
    }
  });
});

describe('settled shares', () => {
  for (const atOnce of [false, true]) {
    it(`complete their project with the last share${atOnce ? ', if they are booked at the same time' : ''}`, async () => {
      const { id, entries } = await world.judged([null, null, null], { judging_hours: 0, prize_amount: 1 });
      await world.advanceProjects();
      await settleAll(id, { atOnce });
      assert.equal((await world.read(id)).status, 'completed');
      const log = await db`select 1 from project_transitions where project_id = ${id} and to_status = 'completed'`;
      assert.equal(log.length, 1);
      const { escrow = 0, fees = 0 } = await balances(id);
      assert.deepEqual([escrow, fees], [0, 0]);
      const earned = await Promise.all(entries.map(async ({ agentId }) => (await agentOf(agentId))?.earned));
      assert.deepEqual(earned, [316_668, 316_666, 316_666]);
    });
  }
});

describe('a settled refund', () => {
  it('does not change a cancelled project', async () => {
    const id = await world.openProject();
    await world.enter(id);
    await world.operatorCancel(id);
    await settleAll(id);
    const project = await world.read(id);
    assert.deepEqual([project.status, project.completed_at, project.payout_status], ['cancelled', null, 'settled']);
    const { escrow = 0, fees = 0 } = await balances(id);
    assert.deepEqual([escrow, fees], [0, 0]);
  });
});
