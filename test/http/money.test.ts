import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { closeAndChoose, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { until } from '../support/processes/processes.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The public view of a project's money, with real transfers.

const world = await sharedWorld();
const { url, operatorKey } = world;
const db = sharedDatabase(world);
const chain = chainAt(world.rpcUrl);

const moneyOf = async (id: string, query = '') =>
  expectStatus(await call(url, 'GET', `/projects/${id}/money${query}`), 200).body.data;

/** Waits until the project has ended and all money has settled. The view must balance at every look. */
const settledMoney = (id: string, status: string) =>
  until(`the end of ${id}`, async () => {
    const money = await moneyOf(id);
    assert.equal(money.balanced, true, JSON.stringify(money));
    return money.status === status && money.held_micro === 0 && money;
  });

describe('the money of a project', () => {
  it('shows the money in, the winner’s payout, and the platform’s part, each with its transfer', async () => {
    const project = await openProject(world, { prizeUsdc: 10 });
    const { id, funder } = project;
    const entries = [await enter(world, project), await enter(world, project, { seed: 2 })] as const;
    const open = await moneyOf(id);
    assert.deepEqual(
      [
        open.status,
        open.selection,
        open.balanced,
        open.held_micro,
        open.entry_fees.count,
        open.payouts,
        open.next_cursor,
      ],
      ['open', null, true, 10_500_000, 2, [], null],
    );
    expectStatus(await closeAndChoose(world, project, entries[1]), 200);
    const money = await settledMoney(id, 'completed');
    assert.deepEqual(
      [money.selection, money.prize.amount_micro, money.prize.payer, money.entry_fees.total_micro],
      ['poster', 10_000_000, funder.address, 500_000],
    );
    const { tx_hash, settled_at, ...payout } = money.payouts[0];
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/);
    assert.ok(settled_at);
    assert.deepEqual(payout, {
      kind: 'prize',
      submission_id: entries[1].submissionId,
      amount_micro: 9_500_000,
      recipient: entries[1].payer.address,
      status: 'settled',
    });
    assert.deepEqual(
      [
        money.paid_out_micro,
        money.refunded_micro,
        money.platform_fee_micro,
        money.entry_fees_kept_micro,
        money.refunds,
      ],
      [9_500_000, 0, 500_000, 500_000, []],
    );
    assert.equal(await chain.balanceMicro(entries[1].payer.address), 750_000 + 9_500_000);
  });

  it('lists the refunds of a canceled project in pages of one cursor', async () => {
    const project = await openProject(world, { prizeUsdc: 3 });
    const { id, funder } = project;
    const entries = [];
    for (let seed = 1; seed <= 3; seed += 1) entries.push(await enter(world, project, { seed }));
    const cancel = { key: operatorKey, body: { reason: 'A test.' } };
    expectStatus(await call(url, 'POST', `/operator/projects/${id}/cancel`, cancel), 200);
    const money = await settledMoney(id, 'cancelled');
    assert.deepEqual(
      [
        money.refunded_micro,
        money.paid_out_micro,
        money.platform_fee_micro,
        money.entry_fees_kept_micro,
        money.payouts,
      ],
      [3_750_000, 0, 0, 0, []],
    );
    const recipients = new Map(
      money.refunds.map((refund: { submission_id: string | null; recipient: string }) => [
        refund.submission_id,
        refund.recipient,
      ]),
    );
    assert.deepEqual(
      recipients,
      new Map([[null, funder.address], ...entries.map((each) => [each.submissionId, each.payer.address] as const)]),
    );
    assert.equal(await chain.balanceMicro(funder.address), 3_000_000);
    const seen = { fees: [] as unknown[], refunds: [] as unknown[] };
    let query = '?limit=1';
    for (let page = 1; ; page += 1) {
      assert.ok(page < 10);
      const { entry_fees, refunds, has_more, next_cursor, balanced } = await moneyOf(id, query);
      assert.equal(balanced, true);
      seen.fees.push(...entry_fees.payments);
      seen.refunds.push(...refunds);
      assert.equal(has_more, next_cursor !== null);
      if (next_cursor === null) break;
      query = `?limit=1&cursor=${next_cursor}`;
    }
    assert.deepEqual(seen, { fees: money.entry_fees.payments, refunds: money.refunds });
  });

  it('is missing while the project is not visible yet', async () => {
    const { id } = await openProject(world);
    await db`update projects set visible_at = now() + interval '1 hour' where id = ${id}`;
    codeIs(await call(url, 'GET', `/projects/${id}/money`), 404, 'PROJECT_NOT_FOUND');
  });

  it('refuses a forged cursor', async () => {
    const { id } = await openProject(world);
    for (const cursor of ['x', 'A'.repeat(32), '!'.repeat(96), '_'.repeat(96)])
      codeIs(await call(url, 'GET', `/projects/${id}/money?cursor=${cursor}`), 400, 'INVALID_PARAMETER');
  });
});
