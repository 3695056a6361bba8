import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { correctWinner, decideAsPaid } from '../../judging/public.ts';
import { bookTransfer, paymentOfTransfer, recoverIncoming, recordStrays, strayId } from '../../payments/public.ts';
import { bookAsPayout, findByReference, giveStrayBack, oweFeeRefunds } from '../../payouts/public.ts';
import { ChainUnavailable } from '../../chain/types.ts';
import type { Explanation } from './explain.ts';
import type { Lost } from './transfers.ts';

/**
 * Books a transfer as its explanation says. Each step is a transaction of its own that does nothing the second time, so a
 * recovery that was killed, or that runs beside another one, is completed by the next. Returns false if nothing was
 * booked, because something has changed since the explanation.
 */
async function book(deps: Deps, transfer: Lost, explanation: Explanation): Promise<boolean> {
  const reason = `recovered from transaction ${transfer.txHash}`;
  switch (explanation.as) {
    case 'payment': {
      const payment = await paymentOfTransfer(deps.db, deps, transfer);
      if (payment === null) return false;
      await bookTransfer(deps, payment, transfer);
      return true;
    }
    case 'payout': {
      const { payoutId, winner } = explanation;
      if (winner !== null && !(await correctWinner(deps, { ...winner, reason }))) return false;
      return await bookAsPayout(deps, payoutId, transfer);
    }
    case 'decision': {
      const { decision } = explanation;
      await decideAsPaid(deps, decision, reason);
      return await bookReference(deps, decision.reference, transfer);
    }
    case 'fee_refund': {
      const { projectId, submissionId, reference } = explanation;
      const at = deps.clock.now();
      await withTransaction(deps.db, (tx) => oweFeeRefunds(deps, tx, { projectId, submissionIds: [submissionId], at }));
      return await bookReference(deps, reference, transfer);
    }
    case 'subject':
      return await recoverIncoming(deps, { ...explanation, transfer });
    case 'contradiction':
    case 'unknown':
      return false;
  }
}

/**
 * Books a transfer, and returns false too if its booking can never succeed. The operator can then adopt the transfer. An error
 * of the chain or of the connection to the database ends the recovery, which is then repeated.
 */
export async function tryToBook(deps: Deps, transfer: Lost, explanation: Explanation): Promise<boolean> {
  try {
    return await book(deps, transfer, explanation);
  } catch (error) {
    if (!isFinal(error)) throw error;
    deps.log.warn({ err: error, txHash: transfer.txHash, as: explanation.as }, 'a lost transfer could not be booked');
    return false;
  }
}

/** A constraint or a trigger of the database, or a rule of the code, refuses the booking every time. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ChainUnavailable) return false;
  return error instanceof DomainError || !('code' in error) || /^(23|P0)/.test(String(error.code));
}

/** The project whose money a transfer took out, if it cannot be booked: nothing more may leave the project. */
export function contradictedProject(explanation: Explanation): string | null {
  switch (explanation.as) {
    case 'payout':
    case 'contradiction':
      return explanation.projectId;
    case 'decision':
      return explanation.decision.projectId;
    default:
      return null;
  }
}

async function bookReference(deps: Deps, reference: string, transfer: Lost): Promise<boolean> {
  const payout = await findByReference(deps.db, reference);
  return payout !== null && (await bookAsPayout(deps, payout.id, transfer));
}

/**
 * Owes a lost transfer to its sender. `back`: the transfer that gave it back already, which is booked as its return.
 * Returns false if nobody knows the sender.
 */
export async function giveBack(deps: Deps, transfer: Lost, back: Lost | null): Promise<boolean> {
  if (transfer.strayId === null) await recordStray(deps, transfer);
  const id = transfer.strayId ?? strayId(deps.network.id, transfer);
  const reason = back ? `given back in transaction ${back.txHash}` : 'nothing in the database fits this payment';
  const payoutId = await giveStrayBack(deps, id, { actor: 'service', reason });
  return back === null ? payoutId !== null : await bookReference(deps, `stray:${id}`, back);
}

const LOCK_NOT_AVAILABLE = '55P03';
const TRIES = 10;

/** Recording waits at most 1 s for payments that are being booked. Another recovery can keep it waiting longer. */
async function recordStray(deps: Deps, transfer: Lost): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await recordStrays(deps, [transfer]);
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
      if (!isBusy || tries === TRIES) throw error;
    }
  }
}
