import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { checkObligations } from './check-obligations.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';
import type { Tx } from '../ports/database.ts';

describe('checkObligations', async () => {
  const { db } = await testDatabase();
  const world = await judgingWorld(db);
  const open = await world.openProject();
  await world.enter(open);
  const { id: won, entries } = await world.judged([5, 4]);
  await world.choose(won, entries[0]!.id);
  const { id: cancelled } = await world.judged([3]);
  await world.operatorCancel(cancelled);
  const problems = async () => (await withTransaction(db, checkObligations)).problems;

  it('finds no problem in open, awarded, and cancelled projects, and counts what is owed', async () => {
    const { unsettled } = await withTransaction(db, checkObligations);
    assert.deepEqual(await problems(), []);
    assert.deepEqual(
      unsettled.map(({ state, count }) => [state, count]),
      [
        ['ready', 2],
        ['waiting', 1],
      ],
    );
  });

  /** Returns the reported problems after a change that no statement of the service could make. */
  async function seen(tamper: (tx: Tx) => Promise<unknown>): Promise<string[]> {
    let found: string[] = [];
    const undone = new Error('undone');
    await assert.rejects(
      db.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tamper(tx);
        found = (await checkObligations(tx)).problems;
        throw undone;
      }),
      undone,
    );
    assert.deepEqual(await problems(), []);
    return found;
  }

  const hash = `0x${'ab'.repeat(32)}`;
  const faults: Record<string, [tamper: (tx: Tx) => Promise<unknown>, expected: RegExp[]]> = {
    'a prize that differs from what the winner receives': [
      (tx) => tx`update payouts set amount_micro = amount_micro - 1 where project_id = ${won}`,
      [/^project \S+ owes 94999999, which is not/],
    ],
    'an award without a payout': [
      (tx) => tx`delete from payouts where project_id = ${won}`,
      [/^project \S+ owes 0, which is not/],
    ],
    'a share in addition to the prize': [
      (tx) => tx`
        insert into payouts select (jsonb_populate_record(payouts, jsonb_build_object(
          'id', ${randomUUIDv7()}::text, 'reference', 'another', 'kind', 'share', 'amount_micro', 1))).*
        from payouts where project_id = ${won}`,
      [/^project \S+ owes 95000001, which is not/],
    ],
    'a prize of a project that was never awarded': [
      (tx) => tx`update projects set awarded_at = null, selection = null where id = ${won}`,
      [/^project \S+ owes 95000000, which is not/],
    ],
    'a refund that exceeds the payment': [
      (tx) =>
        tx`update payouts set amount_micro = amount_micro + 1 where project_id = ${cancelled} and submission_id is null`,
      [
        /^refund \S+ differs from the payment/,
        /^account escrow:\S+ has a balance of 100000000, but unsettled payouts of 100000001/,
        /^account escrow:\S+ of a cancelled project/,
      ],
    ],
    'a refund to another recipient': [
      (tx) =>
        tx`update payouts set recipient = ${`0x${'e'.repeat(40)}`} where project_id = ${cancelled} and submission_id is null`,
      [/^refund \S+ differs from the payment/],
    ],
    'a refund from the account of another project': [
      (tx) =>
        tx`update payouts set debit_account = ${`fees:${open}`} where project_id = ${cancelled} and submission_id is not null`,
      [
        /^refund \S+ differs from the payment/,
        /^account fees:\S+ of a cancelled project has a balance of 250000, but unsettled payouts of 0/,
      ],
    ],
    'a payment without its refund': [
      (tx) => tx`delete from payouts where project_id = ${cancelled} and submission_id is null`,
      [/^account escrow:\S+ of a cancelled project has a balance of 100000000, but unsettled payouts of 0/],
    ],
    'a payout that settled without a payment': [
      (tx) => tx`
        update payouts set state = 'settled', sent_at = now(), settled_at = now(), tx_hash = ${hash}
        where project_id = ${cancelled} and submission_id is null`,
      [
        /^payout \S+ is settled without exactly one payment/,
        /^account escrow:\S+ of a cancelled project has a balance of 100000000, but unsettled payouts of 0/,
      ],
    ],
    'an outgoing payment without a payout': [
      (tx) =>
        tx`update payments set kind = 'refund' where kind = 'entry_fee' and subject_id in (select id from submissions where project_id = ${open})`,
      [/^payment \S+ left the treasury but settles no payout/],
    ],
    'an escrow that differs from the prize': [
      (tx) => tx`update ledger_accounts set balance_micro = balance_micro - 1 where id = ${`escrow:${open}`}`,
      [
        /^the escrow of project \S+ has a balance of 99999999, which with its settled payouts is not its prize of 100000000/,
      ],
    ],
    'an account without a project': [
      (tx) => tx`insert into ledger_accounts values (${`fees:${randomUUIDv7()}`}, 'credit', 5)`,
      [/^account fees:\S+ of a missing project has a balance of 5/],
    ],
    'a balance that is left after completion': [
      (tx) => tx`update projects set status = 'completed' where id = ${open}`,
      [
        /^account escrow:\S+ of a completed project has a balance of 100000000/,
        /^account fees:\S+ of a completed project has a balance of 250000/,
      ],
    ],
  };
  for (const [fault, [tamper, expected]] of Object.entries(faults)) {
    it(`reports ${fault}`, async () => {
      const found = await seen(tamper);
      assert.equal(found.length, expected.length, found.join('\n'));
      for (const pattern of expected)
        assert.ok(
          found.some((problem) => pattern.test(problem)),
          `${pattern} in ${found.join('\n')}`,
        );
    });
  }
});
