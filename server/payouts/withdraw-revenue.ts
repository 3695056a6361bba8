import { DomainError } from '../../contract/basics/errors.ts';
import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { usdcNumber } from '../../contract/basics/money.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { accountBalances, REVENUE, UNEXPLAINED } from '../ledger/public.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';
import { owe } from './owe.ts';
import { findByReference, type NewPayout, type PayoutRow, unsettledFrom } from './queries.ts';
import { withdrawalReference } from './references.ts';
import { snakeCased } from '../snake-case.ts';

type Operation = typeof moneyOutOperations.withdrawRevenue;

/**
 * Pays earned fees to REVENUE_ADDRESS, which no key of an operator changes. A withdrawal is a payout with the same ledger,
 * caps, and nonces as any other.
 */
export async function withdrawRevenue(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const id = body.withdrawal_id ?? ctx.newId();
  const amountMicro = body.amount_usdc;
  const recipient = ctx.config.revenueAddress;
  if (recipient === undefined)
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      'Withdrawals have no address. Set REVENUE_ADDRESS, and restart every process.',
    );
  const payout = await withTransaction(ctx.db, async (tx) => {
    // Reading the balance locks the account, so two withdrawals, or a withdrawal and its booking, run one after the
    // other.
    const available = await availableRevenue(tx);
    const existing = await findByReference(tx, withdrawalReference(id));
    if (existing) return requireSame(existing, amountMicro);
    if (amountMicro > available)
      throw new DomainError(
        'PROJECT_STATE_CONFLICT',
        `Only ${usdcNumber(Math.max(0, available))} USDC of earned fees can be withdrawn now.`,
      );
    return await insertWithdrawal(ctx, tx, { id, reason: body.reason, amountMicro, recipient });
  });
  return { message: `The withdrawal to ${payout.recipient} is sent next.`, payout: snakeCased(payout) };
}

async function availableRevenue(tx: Tx): Promise<number> {
  const balances = await accountBalances(tx, [REVENUE, UNEXPLAINED]);
  // Money that left the treasury without a payout is missing for others. Revenue covers it first.
  // The fee of an award that can still be taken back goes back to the escrow then.
  const [owed, reopenable] = [await unsettledFrom(tx, REVENUE), await reopenableFees(tx)];
  return (balances.get(REVENUE) ?? 0) - (balances.get(UNEXPLAINED) ?? 0) - owed - reopenable;
}

/** Sums the platform fees of awards whose prize is not paid. Index projects_status. */
async function reopenableFees(tx: Tx): Promise<number> {
  const [row] = await tx<[{ micro: number }]>`
    select coalesce(sum(prize_micro - prize_micro * (1000000 - platform_fee_ppm) / 1000000), 0)::bigint as micro
    from projects where status = 'judging' and winner_submission_id is not null`;
  return row.micro;
}

function requireSame(existing: PayoutRow, amountMicro: number): PayoutRow {
  if (existing.amountMicro === amountMicro) return existing;
  throw new DomainError('PROJECT_STATE_CONFLICT', 'Another withdrawal already uses this withdrawal_id.');
}

async function insertWithdrawal(
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
  const inserted = await findByReference(tx, reference);
  if (!inserted) throw new Error(`withdrawal ${id} was not inserted`);
  return inserted;
}
