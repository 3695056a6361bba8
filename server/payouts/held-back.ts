import type { Deps } from '../deps.ts';
import { accountsCredited } from '../ledger/public.ts';
import { settledInAfter, type VanishedPayment, vanishedPayments } from '../payments/public.ts';
import type { Queryable } from '../ports/database.ts';
import { findPayout, type PayoutRow, postponePayout } from './queries.ts';

type HeldBackDeps = Pick<Deps, 'db' | 'chain' | 'clock' | 'network' | 'treasury'> & {
  config: Pick<Deps['config'], 'confirmations'>;
};

/** The note of a payout whose project lost a payment. */
export const VANISHED =
  'a payment of its project is not on chain any more; it waits until that payment has settled again';

const SHALLOW_MS = 2_000;
const VANISHED_MS = 30_000;

/**
 * Returns the payouts that may leave now, and postpones the others with a note: those of a project whose payment vanished
 * from the chain, and those whose money came in a block that is not deep enough yet.
 *
 * @throws ChainUnavailable
 */
export async function leaveOutHeldBack(deps: HeldBackDeps, due: PayoutRow[]): Promise<PayoutRow[]> {
  if (due.length === 0) return due;
  const [vanished, shallow] = await Promise.all([vanishedPayments(deps.db), shallowAccounts(deps)]);
  if (vanished.length === 0 && shallow.size === 0) return due;
  const now = deps.clock.now();
  const free: PayoutRow[] = [];
  for (const payout of due) {
    const waitsForPayment = vanished.some((payment) => freezes(payment, payout));
    if (!waitsForPayment && !shallow.has(payout.debitAccount)) {
      free.push(payout);
      continue;
    }
    const note = waitsForPayment ? VANISHED : `it waits until ${deps.config.confirmations} blocks follow its payment`;
    const dueAt = new Date(now.getTime() + (waitsForPayment ? VANISHED_MS : SHALLOW_MS));
    await postponePayout(deps.db, payout.id, { note, dueAt, now });
  }
  return free;
}

/** Whether a payout that is being sent must not be signed: a payment of its project vanished. */
export async function isFrozen(db: Queryable, payoutId: string): Promise<boolean> {
  const vanished = await vanishedPayments(db);
  if (vanished.length === 0) return false;
  const payout = await findPayout(db, payoutId);
  return payout !== null && vanished.some((payment) => freezes(payment, payout));
}

/**
 * An undecided payment freezes its whole project. A fee that is lost for good freezes only its own refund; a lost prize
 * leaves nothing to pay from.
 */
function freezes(
  { id, kind, account, isUndecided }: VanishedPayment,
  { projectId, debitAccount, paymentId }: PayoutRow,
): boolean {
  if (paymentId === id || debitAccount === account) return isUndecided || kind === 'escrow' || paymentId === id;
  return projectId !== null && account.endsWith(`:${projectId}`) && (isUndecided || kind === 'escrow');
}

/** The accounts whose newest payments are in blocks that fewer than `CONFIRMATIONS` blocks follow. */
async function shallowAccounts({ db, chain, network, treasury, config }: HeldBackDeps): Promise<ReadonlySet<string>> {
  if (config.confirmations === 0) return new Set();
  const block = (await chain.blockNumber()) - config.confirmations;
  const ids = await settledInAfter(db, { network: network.id, payTo: treasury.address, block });
  return new Set(ids.length === 0 ? [] : await accountsCredited(db, ids));
}
