import { REVENUE, TREASURY } from './accounts.ts';
import { lockBalances, newestJournal, type JournalLine } from './queries.ts';
import { postJournal } from './post-journal.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Takes the newest journal of an incoming payment back by a new one, because its transfer is not on chain any more.
 * Returns the account that had been credited. If its money has moved on, revenue pays for it. Returns null if neither holds
 * the amount: then the journal stays.
 */
export async function reverseJournal(
  tx: Tx,
  { id, paymentId, at }: { id: string; paymentId: string; at: Date },
): Promise<string | null> {
  const lines = await newestJournal(tx, paymentId);
  const credited = lines.find(({ amountMicro }) => amountMicro < 0);
  if (!credited) throw new Error(`payment ${paymentId} has no journal`);
  const amountMicro = -credited.amountMicro;
  const balances = await lockBalances(tx, [credited.account, REVENUE]);
  const payer = [credited.account, REVENUE].find((name) =>
    balances.some(({ account, balanceMicro }) => account === name && balanceMicro >= amountMicro),
  );
  if (payer === undefined) return null;
  await postJournal(tx, {
    id,
    kind: 'reversal',
    paymentId,
    at,
    lines: [
      { account: payer, amountMicro },
      { account: TREASURY, amountMicro: -amountMicro },
    ],
  });
  return credited.account;
}

/** Returns the lines of the journal that books a transfer again after `reverseJournal`. */
export async function linesAgain(tx: Tx, paymentId: string, debit: JournalLine): Promise<JournalLine[]> {
  const taken = (await newestJournal(tx, paymentId)).find(({ amountMicro }) => amountMicro > 0);
  if (!taken) throw new Error(`payment ${paymentId} was not taken back`);
  return [debit, { account: taken.account, amountMicro: -debit.amountMicro }];
}
