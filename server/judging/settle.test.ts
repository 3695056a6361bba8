import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { checkJournals } from '../ledger/check-queries.ts';
import { postJournal } from '../ledger/post-journal.ts';
import { listUnsettled } from '../payouts/queries.ts';
import { unsettledPayouts } from '../reconciliation/payout-queries.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { insertFile } from '../../test/support/rows/rows.ts';
import { giveEarnings } from '../../test/support/rows/tier-awards.ts';
import { settledPayoutHandler } from './settled-payout-handler.ts';
import { FUNDER } from '../../test/support/worlds/projects-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { settled, refused } = settledPayoutHandler(world.deps);
const HASH = `0x${'9'.repeat(64)}`;

/** Returns what the project still owes. */
const payoutsOf = async (id: string) => (await listUnsettled(db)).filter(({ projectId }) => projectId === id);

/** Gives every payout of the project a wallet and settles them one by one, as the bookings of their transfers do. */
async function settleAll(projectId: string, { atOnce = false, except = '' } = {}): Promise<void> {
  const payouts = (await payoutsOf(projectId)).filter(({ id }) => id !== except);
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
      await settled(tx, { ...payout, state: 'settled', recipient, txHash: HASH, settledAt }, { again: false });
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
      select pending_micro as pending, earned_micro as earned, tier
      from agents join agent_figures on agent_id = id and scope = 'overall' where id = ${id}`
  )[0];

const paidAt = async (id: string) =>
  (await db<{ at: Date | null }[]>`select paid_at as at from submissions where id = ${id}`)[0]?.at ?? null;

const { openProject, enter, read, advance } = world;
const hours = { judging_hours: 1 };

// Projects that one test leaves open must not be due in the next test.
beforeEach(() => db`update projects set due_at = null`);

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

  it('completes its project without a fee that vanished, which is earned when it settles again', async () => {
    const { id, entries } = await world.judged([5, 3]);
    const before = (await balances(id))['revenue'] ?? 0;
    await world.choose(id, entries[0]!.id);
    const again = await world.vanish('entry_fee', entries[1]!.id);
    await settleAll(id);
    assert.equal((await balances(id))['revenue']! - before, 5_000_000 + 250_000);
    await again({ state: 'paid', txHash: `0x${'8'.repeat(64)}`, logIndex: 1, blockNumber: 9 });
    const { fees = 0, revenue } = await balances(id);
    assert.deepEqual([fees, revenue! - before], [0, 5_000_000 + 2 * 250_000]);
  });

  it('earns what is left when a fee that is owed back vanished', async () => {
    const id = await openProject();
    const [winner, unconfirmed] = [await enter(id), await enter(id, { confirmed: false })];
    await world.close(id);
    advance(HOUR_MS);
    await world.advanceProjects();
    await world.choose(id, winner.id);
    const [refund] = (await payoutsOf(id)).filter(({ kind }) => kind === 'refund');
    const before = (await balances(id))['revenue']!;
    const ready = async () => (await unsettledPayouts(db)).find(({ state }) => state === 'ready')?.count ?? 0;
    const withIt = await ready();
    await world.vanish('entry_fee', unconfirmed.id);
    assert.equal(withIt - (await ready()), 1, 'it cannot leave');
    await settleAll(id, { except: refund!.id });
    const { fees = 0, revenue } = await balances(id);
    assert.deepEqual([fees, revenue! - before], [0, 250_000]);
  });

  it('takes a fee that it kept or gave back from revenue when it vanishes, not from the fees of others', async () => {
    const again = { state: 'paid', txHash: `0x${'6'.repeat(64)}`, logIndex: 1, blockNumber: 9 };
    // Nobody wins: the fee of the entry with score 1 is kept, and the other one is owed back.
    const { id, entries } = await world.judged([1, 2]);
    await world.noWinner(id, 'None fits');
    const before = (await balances(id))['revenue']!;
    const backAgain = await world.vanish('entry_fee', entries[0]!.id);
    assert.deepEqual([(await balances(id))['fees'], (await balances(id))['revenue']! - before], [250_000, -250_000]);
    await backAgain(again);
    assert.deepEqual([(await balances(id))['fees'], (await balances(id))['revenue']], [250_000, before]);
    // Its refund has left before its transfer vanishes.
    await settleAll(id);
    const refunded = await world.vanish('entry_fee', entries[1]!.id);
    await refunded({ ...again, logIndex: 2 });
    const { fees = 0, revenue } = await balances(id);
    assert.deepEqual([fees, revenue], [0, before]);
  });

  it('leaves a fee that vanished, settles again, and is owed back for its refund', async () => {
    const id = await openProject();
    const entry = await enter(id);
    await world.operatorCancel(id);
    const again = await world.vanish('entry_fee', entry.id);
    await again({ state: 'paid', txHash: `0x${'7'.repeat(64)}`, logIndex: 1, blockNumber: 9 });
    assert.equal((await balances(id))['fees'], 250_000);
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
      const log = await db`select from project_transitions where project_id = ${id} and to_status = 'completed'`;
      assert.equal(log.length, 1);
      const { escrow = 0, fees = 0 } = await balances(id);
      assert.deepEqual([escrow, fees], [0, 0]);
      const earned = await Promise.all(entries.map(async ({ agentId }) => (await agentOf(agentId))?.earned));
      assert.deepEqual(earned, [316_668, 316_666, 316_666]);
    });
  }
});

describe('a refused share', () => {
  it('does not keep its project in judging, whether it is the last one or others follow', async () => {
    for (const refusedFirst of [true, false]) {
      const { id, entries } = await world.judged([null, null], { judging_hours: 0, prize_amount: 1 });
      for (const { agentId, payer } of entries)
        await db`update agents set wallet_address = ${payer}, wallet_linked_at = now() where id = ${agentId}`;
      await world.advanceProjects();
      const [share] = (await payoutsOf(id)).filter(({ kind }) => kind === 'share');
      const refuse = () =>
        withTransaction(db, async (tx) => {
          await tx`update payouts set state = 'refused' where id = ${share!.id}`;
          await refused(tx, share!, world.at());
        });
      if (refusedFirst) await refuse();
      await settleAll(id, { except: share!.id });
      if (!refusedFirst) await refuse();
      assert.equal((await world.read(id)).status, 'completed');
      assert.equal((await balances(id))['escrow'], share!.amountMicro, 'it is still owed');
    }
  });
});

describe('the end of judging', () => {
  it('without scores is silence: fees back, capped shares, and the rest to the poster; one share for each payer', async () => {
    const id = await openProject(hours);
    const entries: Awaited<ReturnType<typeof enter>>[] = [];
    for (const _ of [1, 2, 3, 4]) {
      const payer: { payer?: string } = entries.length === 1 ? { payer: entries[0]!.payer } : {};
      entries.push(await enter(id, payer));
      advance(1000);
    }
    await world.close(id);
    const [, , third] = entries;
    await world.disqualify(id, third!.id);
    advance(HOUR_MS);
    await world.advanceProjects();
    const project = await read(id);
    assert.deepEqual([project.selection, project.winner_submission_id], ['silence', null]);
    assert.deepEqual(await world.outcomes(id), ['shared 1 2500000', 'lost 2 0', 'lost null 0', 'shared 3 2500000']);
    assert.deepEqual(
      (await world.owed(id)).map((line) => line.replace(/ 0x.*| no-wallet.*/, '')),
      ['refund 90000000', 'share 2500000', 'share 2500000', ...entries.map(() => 'refund 250000')],
    );
  });

  it('gives no share to a later entry with the bytes of an earlier one; a resemblance takes no share', async () => {
    const id = await openProject(hours);
    // All have the same perceptual hash.
    for (const bytes of ['one', 'two', 'one']) {
      const inspected = {
        status: 'completed',
        completed_at: world.at(),
        sha256: Buffer.from(bytes),
        perceptual_hash: 0,
      };
      await insertFile(db, world.at(), (await enter(id)).id, inspected);
      advance(1000);
    }
    await world.close(id);
    advance(HOUR_MS);
    await world.advanceProjects();
    assert.deepEqual(await world.outcomes(id), ['shared 1 2500000', 'shared 2 2500000', 'lost 3 0']);
  });

  it('without scores and without a fee gives the prize less the platform fee back', async () => {
    const id = await openProject({ ...hours, entry_fee: 0 });
    await enter(id, { fee: 'none' });
    await world.close(id);
    advance(HOUR_MS);
    await world.advanceProjects();
    const project = await read(id);
    assert.deepEqual([project.status, project.cancel_reason, project.selection], ['cancelled', 'silence', null]);
    assert.deepEqual(await world.owed(id), [`refund 95000000 ${FUNDER} ready`]);
    assert.deepEqual(await world.outcomes(id), ['cancelled null 0']);
    const [row] = await db`select cancelled_at, cancelled_by, fee_kept from projects where id = ${id}`;
    assert.deepEqual({ ...row }, { cancelled_at: world.at(), cancelled_by: 'timer', fee_kept: true });
  });
});
