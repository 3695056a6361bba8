import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { migrate } from '../db/migrate.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { checkJournals } from './check-journals.ts';
import { postJournal } from './post-journal.ts';

// Before migration 0031, a row held the treasury's balance.

it('sums the treasury’s balance in a database whose rows were written before', async () => {
  const { db } = await testDatabase({ last: '0027_agents_account.sql' });
  const post = (amountMicro: number) =>
    db.begin((tx) =>
      postJournal(tx, {
        id: randomUUIDv7(),
        kind: 'entry_fee',
        paymentId: null,
        at: new Date(),
        lines: [
          { account: 'treasury', amountMicro },
          { account: 'revenue', amountMicro: -amountMicro },
        ],
      }),
    );
  const stored = async () =>
    (await db<{ micro: number }[]>`select balance_micro as micro from ledger_accounts where id = 'treasury'`)[0]?.micro;
  await post(700);
  assert.equal(await stored(), 700);
  await migrate(db);
  assert.equal(await stored(), 0);
  await post(50);
  const { accounts, problems } = await checkJournals(db);
  assert.deepEqual(problems, []);
  assert.equal(accounts.find(({ account }) => account === 'treasury')?.balanceMicro, 750);
  // The treasury cannot fall below zero, because no other account can.
  await assert.rejects(post(-751), /balance_micro/);
  await post(-750);
  assert.equal(await stored(), 0);
});
