import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { until } from '../../test/support/processes/processes.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { FUNDER, refusal } from '../../test/support/worlds/projects-world.ts';
import { accountBalances, escrowAccount, REVENUE } from '../ledger/public.ts';
import { withTransaction } from '../db/public.ts';
import { listUnsettled } from '../payouts/queries.ts';
import { payUnclaimed } from '../payouts/pay-unclaimed.ts';
import type { Config } from '../config.ts';
import { lapseAward, reopenProject } from './reopen-project.ts';
import { settledPayoutHandler } from './settled-payout-handler.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db, { config: { claimDays: 14 } as Config });
const { advance, deps, read } = world;
const DAY_MS = 24 * HOUR_MS;

beforeEach(async () => {
  await db`update projects set due_at = null`;
  await db`update payouts set created_at = ${world.at()} where state = 'waiting'`;
});

const claim = () => payUnclaimed(deps, new AbortController().signal, (prize) => lapseAward(deps, prize));
const reopen = (project_id: string) =>
  reopenProject(world.operator, { params: { project_id }, body: { reason: 'Suspended for fraud' } });

async function money(projectId: string): Promise<{ escrow: number; revenue: number }> {
  const escrow = escrowAccount(projectId);
  const all = await db.begin((tx) => accountBalances(tx, [escrow, REVENUE]));
  return { escrow: all.get(escrow) ?? 0, revenue: all.get(REVENUE) ?? 0 };
}

async function prizeOf(projectId: string): Promise<{ projectId: string; payoutId: string }> {
  const [prize] = await db<[{ id: string }]>`select id from payouts where project_id = ${projectId} and kind = 'prize'`;
  return { projectId, payoutId: prize.id };
}

async function statsOf(agentId: string) {
  const [row] = await db`
    select wins, losses, pending_micro as pending, scored_count as scored
    from agent_figures where agent_id = ${agentId} and scope = 'overall'`;
  return { ...row };
}

describe('a prize without a wallet', () => {
  it('goes to the wallet that paid the fee after 14 days, if no other agent has proven it', async () => {
    const { id, entries } = await world.judged([5, 3]);
    await world.choose(id, entries[0]!.id);
    advance(14 * DAY_MS - 1);
    await claim();
    assert.deepEqual(await world.owed(id), ['prize 95000000 no-wallet waiting']);
    advance(2);
    await claim();
    assert.deepEqual(await world.owed(id), [`prize 95000000 ${entries[0]!.payer} ready`]);
  });

  it('lapses if another agent has proven that wallet; the project is judged again without that entry', async () => {
    const { id, entries } = await world.judged([5, 3], { judging_hours: 2 });
    const [first, second] = entries;
    const before = { money: await money(id), stats: await statsOf(second!.agentId) };
    await world.newAgent(first!.payer);
    await world.choose(id, first!.id);
    assert.equal(
      (await money(id)).revenue - before.money.revenue,
      5_000_000,
      'the platform fee is booked with the award',
    );
    const unclaimed = await prizeOf(id);
    advance(14 * DAY_MS + 1);
    await Promise.all([claim(), claim()]);
    const project = await read(id);
    assert.deepEqual(
      [project.status, project.awarded_at, project.selection, project.winner_submission_id, project.judging_ends_at],
      ['judging', null, null, null, world.at(2 * HOUR_MS).toISOString()],
    );
    assert.deepEqual(await world.owed(id), []);
    assert.deepEqual(await money(id), before.money);
    assert.deepEqual(await statsOf(second!.agentId), before.stats);
    await refusal(world.choose(id, first!.id), 'PROJECT_STATE_CONFLICT');
    advance(2 * HOUR_MS);
    // A round leaves out a project that another transaction has locked.
    const again = await until('the project is decided', async () => {
      await world.advanceProjects();
      const now = await read(id);
      return now.selection !== null && now;
    });
    assert.deepEqual([again.selection, again.winner_submission_id], ['scores', second!.id]);
    // A worker that found the first prize long ago takes no other one back.
    await lapseAward(deps, unclaimed);
    assert.deepEqual(await world.owed(id), ['prize 95000000 no-wallet waiting']);
  });

  it('stays with an agent that links a wallet at the last moment', async () => {
    const { id, entries } = await world.judged([5, 3]);
    const [first] = entries;
    await world.choose(id, first!.id);
    advance(14 * DAY_MS + 1);
    const wallet = `0x${'5e'.repeat(20)}`;
    await db`update agents set wallet_address = ${wallet}, wallet_linked_at = ${world.at()} where id = ${first!.agentId}`;
    await lapseAward(deps, await prizeOf(id));
    assert.equal((await read(id)).winner_submission_id, first!.id);
    assert.deepEqual(await world.owed(id), ['prize 95000000 no-wallet waiting']);
  });

  it('of a free project lapses too; without another entry, the poster gets the whole prize back', async () => {
    const id = await world.openProject({ entry_fee: 0, judging_hours: 1 });
    const entry = await world.enter(id, { fee: 'none' });
    await world.close(id);
    await world.choose(id, entry.id);
    advance(14 * DAY_MS + 1);
    await claim();
    advance(HOUR_MS);
    await world.advanceProjects();
    assert.equal((await read(id)).status, 'cancelled');
    assert.deepEqual(await world.owed(id), [`refund 100000000 ${FUNDER} ready`]);
  });
});

describe('reopenProject', () => {
  it('takes back an award until its prize is sent', async () => {
    const { id, entries } = await world.judged([5, 3]);
    await refusal(reopen(id), 'PROJECT_STATE_CONFLICT');
    await world.choose(id, entries[0]!.id);
    await db`
      update payouts set state = 'ready', recipient = ${entries[0]!.payer} where project_id = ${id} and kind = 'prize'`;
    const { project } = await reopen(id);
    assert.deepEqual([project.status, project.winner_submission_id], ['judging', null]);
    await world.choose(id, entries[1]!.id);
    await db`
      update payouts set state = 'sending', sent_at = ${world.at()}, recipient = ${entries[1]!.payer} where project_id = ${id} and kind = 'prize'`;
    await refusal(reopen(id), 'PROJECT_STATE_CONFLICT');
    assert.equal((await read(id)).winner_submission_id, entries[1]!.id);
  });
});

describe('a share without a wallet', () => {
  it('does not keep its project open; without any payable share, the project completes at once', async () => {
    const { id } = await world.judged([null, null], { judging_hours: 1 });
    advance(HOUR_MS);
    const before = await money(id);
    await world.advanceProjects();
    assert.equal((await read(id)).status, 'completed');
    assert.equal((await money(id)).revenue - before.revenue, 5_000_000);
    assert.equal((await world.owed(id)).filter((line) => line.includes('no-wallet waiting')).length, 2);
  });
});

describe('a refused prize', () => {
  it('leaves the operator the time of a claim; then its project completes, and it is still owed', async () => {
    const { id, entries } = await world.judged([5], { judging_hours: 0, prize_amount: 1 });
    const [{ agentId, payer } = assert.fail()] = entries;
    await db`update agents set wallet_address = ${payer}, wallet_linked_at = now() where id = ${agentId}`;
    await world.advanceProjects();
    const [prize = assert.fail()] = (await listUnsettled(db)).filter(({ projectId }) => projectId === id);
    await withTransaction(db, async (tx) => {
      await tx`update payouts set state = 'refused' where id = ${prize.id}`;
      await settledPayoutHandler(deps).refused(tx, prize, world.at());
    });
    await world.advanceProjects();
    assert.equal((await read(id)).status, 'judging');
    advance(15 * DAY_MS);
    await world.advanceProjects();
    assert.equal((await read(id)).status, 'completed');
    assert.equal((await money(id)).escrow, prize.amountMicro);

    // A transfer that vanished and is booked again counts once.
    const before = await statsOf(agentId);
    const paid = { ...prize, recipient: payer, settledAt: world.at() };
    await withTransaction(db, (tx) => settledPayoutHandler(deps).settled(tx, paid, { again: true }));
    assert.deepEqual(await statsOf(agentId), before);
  });
});
