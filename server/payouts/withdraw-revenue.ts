import { DomainError, validationError } from '../../contract/errors.ts';
import type { moneyOutOperations } from '../../contract/money-out.ts';
import { usdcNumber } from '../../contract/money.ts';
import type { Input, Output } from '../../contract/operation.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { accountBalances, REVENUE } from '../ledger/public.ts';
import { shownPayout } from './list-payouts.ts';
import { findByReference, type NewPayout, type PayoutRow, unsettledFrom } from './queries.ts';
import { withdrawalReference } from './references.ts';
import { owe } from './owe.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof moneyOutOperations.withdrawRevenue;

/** Sends earned fees to a wallet of the operator's, as a payout like any other: the same books, caps and nonces. */
export async function withdrawRevenue(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const id = body.withdrawal_id ?? ctx.newId();
  const wanted = { amountMicro: body.amount_usdc, recipient: body.recipient };
  if (wanted.recipient === ctx.payTo)
    throw validationError([{ field: 'recipient', message: 'not the treasury itself' }]);
  const payout = await withTransaction(ctx.db, async (tx) => {
    // Locked: two withdrawals, or a withdrawal and its booking, go one after the other.
    const available = await availableRevenue(tx);
    const known = await findByReference(tx, withdrawalReference(id));
    if (known) return requireSame(known, wanted);
    if (wanted.amountMicro > available)
      throw new DomainError(
        'PROJECT_STATE_CONFLICT',
        `Only ${usdcNumber(available)} USDC of earned fees can be withdrawn now.`,
      );
    return await write(ctx, tx, { id, reason: body.reason, ...wanted });
  });
  return { message: 'The withdrawal is sent next.', payout: shownPayout(payout) };
}

async function availableRevenue(tx: Tx): Promise<number> {
  const balances = await accountBalances(tx, [REVENUE]);
  return (balances.get(REVENUE) ?? 0) - (await unsettledFrom(tx, REVENUE));
}

function requireSame(known: PayoutRow, wanted: { amountMicro: number; recipient: string }): PayoutRow {
  if (known.amountMicro === wanted.amountMicro && known.recipient === wanted.recipient) return known;
  throw new DomainError('PROJECT_STATE_CONFLICT', 'Another withdrawal has this withdrawal_id.');
}

async function write(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  { id, reason, amountMicro, recipient }: { id: string; reason: string; amountMicro: number; recipient: string },
): Promise<PayoutRow> {
  const at = ctx.clock.now();
  const reference = withdrawalReference(id);
  const withdrawal: NewPayout = {
    id: ctx.newId(),
    reference,
    kind: 'withdrawal',
    projectId: null,
    submissionId: null,
    agentId: null,
    paymentId: null,
    amountMicro,
    debitAccount: REVENUE,
    recipient,
  };
  await owe(ctx, tx, [withdrawal], at);
  await recordAudit(ctx, tx, {
    at,
    actor: 'operator',
    action: 'payout.withdraw',
    subject: `payout:${withdrawal.id}`,
    reason,
    details: { amount_micro: amountMicro, recipient },
  });
  const written = await findByReference(tx, reference);
  if (!written) throw new Error(`withdrawal ${id} was not written`);
  return written;
}
