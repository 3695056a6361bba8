import type { Deps } from '../deps.ts';
import { setNextTurn } from '../ledger/public.ts';
import { authorizationQuery, unscannedPayments, type VanishedPayment, vanishedPayments } from '../payments/public.ts';
import type { Queryable } from '../db/database.ts';
import { findPayout, type PayoutRow, postponePayout } from './queries.ts';

type HeldBackDeps = Pick<Deps, 'db' | 'chain' | 'clock'> & {
  config: Pick<Deps['config'], 'confirmations'>;
};

/** The note of a payout whose project lost a payment. */
export const VANISHED =
  'a payment of its project is not on chain any more; it waits until that payment has settled again';

/** The note of a payout whose payment was booked and is not found. */
export const MISSING = 'the chain does not show its payment now; the service checks its books first';

const SHALLOW_MS = 2_000;
const VANISHED_MS = 30_000;

/**
 * Returns the payouts that may leave now, and postpones the others with a note: those of a project whose payment vanished
 * from the chain, and those whose payment the chain does not show in a block that is deep enough.
 *
 * @throws ChainUnavailable
 */
export async function leaveOutHeldBack(deps: HeldBackDeps, due: PayoutRow[]): Promise<PayoutRow[]> {
  if (due.length === 0) return due;
  const [vanished, unproven] = await Promise.all([vanishedPayments(deps.db), unprovenOf(deps, due)]);
  if (vanished.length === 0 && unproven.size === 0) return due;
  const now = deps.clock.now();
  const free: PayoutRow[] = [];
  for (const payout of due) {
    const waitsForPayment = vanished.some((payment) => freezes(payment, payout));
    if (!waitsForPayment && !unproven.has(payout.id)) {
      free.push(payout);
      continue;
    }
    const isShallow = !waitsForPayment && unproven.get(payout.id) === 'shallow';
    const shallow = `it waits until ${deps.config.confirmations} blocks follow its payment`;
    const note = isShallow ? shallow : waitsForPayment ? VANISHED : MISSING;
    const dueAt = new Date(now.getTime() + (isShallow ? SHALLOW_MS : VANISHED_MS));
    await postponePayout(deps.db, payout.id, { note, dueAt });
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
 * An undecided payment freezes its whole project. A fee that is finally lost freezes only its own refund, and a lost prize
 * what it would pay: the entry fees go back.
 */
function freezes(
  { id, kind, account, isUndecided }: VanishedPayment,
  { projectId, debitAccount, paymentId }: PayoutRow,
): boolean {
  if (paymentId === id || debitAccount === account) return isUndecided || kind === 'escrow' || paymentId === id;
  return projectId !== null && account.endsWith(`:${projectId}`) && isUndecided;
}

/**
 * Finds the payouts whose money is not proven: the chain does not show their payment at a block that `CONFIRMATIONS` blocks
 * follow. A receipt that was booked can vanish until then. The ledger check has proven all payments up to its last block.
 */
async function unprovenOf(deps: HeldBackDeps, due: PayoutRow[]): Promise<ReadonlyMap<string, 'shallow' | 'missing'>> {
  const { db, chain, config } = deps;
  const funding = await unscannedPayments(db, {
    ids: due.flatMap(({ paymentId }) => paymentId ?? []),
    projectIds: due.flatMap(({ kind, projectId }) => (kind === 'prize' || kind === 'share' ? (projectId ?? []) : [])),
  });
  if (funding.length === 0) return new Map();
  const deep = (await chain.blockNumber()) - config.confirmations;
  const seen = await Promise.all(
    funding.map(async (payment) => {
      if (payment.blockNumber > deep) return 'shallow' as const;
      const outcome = await chain.transaction(payment.txHash ?? '', authorizationQuery(payment));
      if (outcome.state !== 'paid') return 'missing' as const;
      return outcome.blockNumber > deep ? ('shallow' as const) : null;
    }),
  );
  if (seen.includes('missing')) await setNextTurn(db, deps.clock.now());
  const found = due.flatMap(({ id, kind, paymentId, projectId }) => {
    const index = funding.findIndex((row) =>
      paymentId === null ? row.kind === 'escrow' && row.subjectId === projectId : row.id === paymentId,
    );
    const how = kind === 'withdrawal' || kind === 'return' ? null : seen[index];
    return how ? [[id, how] as const] : [];
  });
  return new Map(found);
}
