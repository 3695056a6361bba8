import { REVENUE, TREASURY, UNEXPLAINED } from './accounts.ts';
import { accountBalances, newestJournal, type JournalLine } from './queries.ts';
import { postJournal } from './post-journal.ts';
import type { Tx } from '../db/database.ts';

/**
 * Takes the newest journal of a payment back by a new one, because its transfer is not on chain any more. Returns the account
 * that had been credited; for a transfer out, that is the treasury. Where the money of an incoming payment has moved on,
 * revenue pays for the rest. Returns null if revenue holds too little, or if an operator adopted the transfer: then the
 * journal stays.
 *
 * @param options.hasLeft the money of this payment has left the account, so what the account holds is others'
 */
export async function reverseJournal(
  tx: Tx,
  { id, paymentId, at, hasLeft }: { id: string; paymentId: string; at: Date; hasLeft: boolean },
): Promise<string | null> {
  const booked = await newestJournal(tx, paymentId);
  const credits = booked.filter(({ amountMicro }) => amountMicro < 0);
  const [first] = credits;
  if (!first) throw new Error(`payment ${paymentId} has no journal`);
  if (first.account === UNEXPLAINED) return null;
  const isOut = first.account === TREASURY;
  const lines = isOut ? booked.map(inverse) : await takenFrom(tx, credits, hasLeft);
  if (lines === null) return null;
  await postJournal(tx, { id, kind: 'reversal', paymentId, at, lines });
  return first.account;
}

/** Takes credits back from their accounts, and from revenue what these do not hold any more. */
async function takenFrom(tx: Tx, credits: JournalLine[], hasLeft: boolean): Promise<JournalLine[] | null> {
  const left = await accountBalances(tx, [...credits.map(({ account }) => account), REVENUE]);
  const taken = new Map<string, number>();
  let totalMicro = 0;
  for (const { account, amountMicro } of credits) {
    let openMicro = -amountMicro;
    totalMicro += openMicro;
    for (const payer of hasLeft ? [REVENUE] : [account, REVENUE]) {
      const part = Math.min(openMicro, left.get(payer) ?? 0);
      left.set(payer, (left.get(payer) ?? 0) - part);
      if (part > 0) taken.set(payer, (taken.get(payer) ?? 0) + part);
      openMicro -= part;
    }
    if (openMicro > 0) return null;
  }
  const debits = [...taken].map(([account, amountMicro]) => ({ account, amountMicro }));
  return [...debits, { account: TREASURY, amountMicro: -totalMicro }];
}

const inverse = ({ account, amountMicro }: JournalLine): JournalLine => ({ account, amountMicro: -amountMicro });

/** Returns the lines of the journal that books a transfer again after `reverseJournal`. */
export async function linesAgain(tx: Tx, paymentId: string, debit: JournalLine): Promise<JournalLine[]> {
  const taken = (await newestJournal(tx, paymentId)).filter(({ amountMicro }) => amountMicro > 0);
  if (taken.length === 0) throw new Error(`payment ${paymentId} was not taken back`);
  return [debit, ...taken.map(inverse)];
}
