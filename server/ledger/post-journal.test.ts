import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { REVENUE, TREASURY, accountSide, escrowAccount, feesAccount, payableAccount } from './accounts.ts';
import { checkJournals } from './check-queries.ts';
import type { JournalLine } from './queries.ts';
import { postJournal } from './post-journal.ts';

describe('the ledger', async () => {
  const { db } = await testDatabase();
  const projects = [randomUUIDv7(), randomUUIDv7()] as const;
  const wallet = `0x${'ab'.repeat(20)}`;

  const post = (lines: JournalLine[]) =>
    withTransaction(db, (tx) =>
      postJournal(tx, { id: randomUUIDv7(), kind: 'test', paymentId: null, at: new Date(0), lines }),
    );
  const balances = async () =>
    Object.fromEntries((await checkJournals(db)).accounts.map(({ account, balanceMicro }) => [account, balanceMicro]));

  it('changes both sides by the posted amounts, and creates accounts on demand', async () => {
    await post([
      { account: TREASURY, amountMicro: 1_000 },
      { account: escrowAccount(projects[0]), amountMicro: -1_000 },
    ]);
    assert.deepEqual(await balances(), { [TREASURY]: 1_000, [escrowAccount(projects[0])]: 1_000 });
  });

  it('rejects a journal that does not sum to zero, also from plain SQL', async () => {
    const lopsided = [
      { account: TREASURY, amountMicro: 5 },
      { account: REVENUE, amountMicro: -4 },
    ];
    await assert.rejects(post(lopsided), RangeError);
    const entries = (amounts: [number, number], lines = 2) =>
      withTransaction(db, async (tx) => {
        const id = randomUUIDv7();
        await tx`insert into ledger_accounts (id, side) values ('revenue', 'credit') on conflict do nothing`;
        await tx`insert into ledger_journals (id, kind, lines, created_at) values (${id}, 'raw', ${lines}, now())`;
        await tx`insert into ledger_entries values (${id}, 1, ${TREASURY}, ${amounts[0]}), (${id}, 2, ${REVENUE}, ${amounts[1]})`;
        return id;
      });
    await assert.rejects(entries([5, -4]), /does not sum to zero/);
    await assert.rejects(entries([5, -5], 3), /does not sum to zero over its lines/);
    const closed = await entries([5, -5]);
    await assert.rejects(
      db`insert into ledger_entries values (${closed}, 3, ${TREASURY}, 1), (${closed}, 4, ${REVENUE}, -1)`,
      /is closed/,
    );
    await assert.rejects(
      db`insert into ledger_journals (id, kind, lines, created_at) values (${randomUUIDv7()}, 'empty', 2, now())`,
    );
  });

  it('lets no account fall below zero', async () => {
    await assert.rejects(
      post([
        { account: escrowAccount(projects[0]), amountMicro: 1_001 },
        { account: payableAccount(wallet), amountMicro: -1_001 },
      ]),
      /balance_micro/,
    );
  });

  it('accepts only the known kinds of accounts', () => {
    assert.equal(accountSide(TREASURY), 'debit');
    for (const account of ['', 'escrow:', 'escrow:42', 'fees:x', 'payable:0xAB', 'Treasury']) {
      assert.throws(() => accountSide(account), RangeError);
    }
  });

  for (const statement of [
    'update ledger_journals set kind = kind',
    'delete from ledger_journals',
    'truncate ledger_journals cascade',
    'update ledger_entries set amount_micro = amount_micro',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'delete from ledger_accounts',
    'truncate ledger_accounts cascade',
    'update ledger_accounts set balance_micro = balance_micro + 1',
  ]) {
    it(`rejects: ${statement}`, async () => {
      await assert.rejects(db.unsafe(statement), /append-only|by ledger entries only|foreign key/);
    });
  }

  it('stays balanced under concurrent journals, and rejects exactly those that would overdraw an account', async () => {
    const credits = [REVENUE, escrowAccount(projects[1]), feesAccount(projects[1]), payableAccount(wallet)];
    const transfer = fc.record({
      from: fc.constantFrom(TREASURY, ...credits),
      to: fc.constantFrom(...credits),
      amountMicro: fc.integer({ min: 1, max: 1_000_000_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 12 }), async (transfers) => {
        const expected = await balances();
        // A debit of the treasury is money that arrives. A transfer between credit accounts changes only the creditor.
        const outcomes = await Promise.allSettled(
          transfers.map(({ from, to, amountMicro }) =>
            post([
              { account: from, amountMicro },
              { account: to, amountMicro: -amountMicro },
            ]),
          ),
        );
        for (const [index, outcome] of outcomes.entries()) {
          const moved = transfers[index];
          if (!moved || outcome.status === 'rejected') continue;
          expected[moved.from] = (expected[moved.from] ?? 0) + (moved.from === TREASURY ? 1 : -1) * moved.amountMicro;
          expected[moved.to] = (expected[moved.to] ?? 0) + moved.amountMicro;
        }
        const { accounts, problems } = await checkJournals(db);
        assert.deepEqual(problems, []);
        for (const { account, balanceMicro } of accounts) {
          assert.equal(balanceMicro, expected[account]);
          assert.ok(balanceMicro >= 0);
        }
        const held = accounts.find(({ account }) => account === TREASURY)?.balanceMicro ?? 0;
        const owed = accounts.reduce(
          (sum, { account, balanceMicro }) => sum + (account === TREASURY ? 0 : balanceMicro),
          0,
        );
        assert.equal(held, owed);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') assert.match(String(outcome.reason), /balance_micro/);
        }
      }),
      { numRuns: 25 },
    );
  });
});
