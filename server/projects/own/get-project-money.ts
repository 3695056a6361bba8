import type { moneyViewOperations } from '../../../contract/operator/money-view.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { accountFlow, escrowAccount, feesAccount } from '../../ledger/public.ts';
import { decodeCursor, encodeCursor, type Cursor } from '../../paging.ts';
import { payoutsPage, settledPage, sumEarnedApart } from './project-payment-queries.ts';
import type { SettledMoney } from '../../payments/public.ts';
import { payoutStatus, type PayoutRow } from '../../payouts/public.ts';
import { requirePublicProject } from '../locks.ts';
import { submissionIdsOf } from '../../entries/public.ts';
import type { PublicCaller } from '../../callers.ts';
import type { Tx } from '../../db/database.ts';

type Operation = typeof moneyViewOperations.getProjectMoney;

/** The position of the next page in each of the three lists. */
type Places = { fees: Cursor; payouts: Cursor; refunds: Cursor };

const FIRST: Cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };
const CURSOR = /^[A-Za-z0-9_-]{96}$/;

/** Returns a project's money from one snapshot, so a payment that is booked meanwhile is on both sides or on neither. */
export async function getProjectMoney(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { limit } = query;
  const after = query.cursor === undefined ? { fees: FIRST, payouts: FIRST, refunds: FIRST } : decode(query.cursor);
  const now = ctx.clock.now();
  return await withTransaction(ctx.reads, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`;
    const project = await requirePublicProject(tx, projectId, now);
    const money = await readMoney(tx, projectId, after, limit + 1);
    const { prize, fees, payouts, refunds, escrow, kept } = money;
    const heldMicro = escrow.balanceMicro + kept.balanceMicro + payouts.creditedMicro + refunds.creditedMicro;
    const balanced =
      (prize?.amountMicro ?? 0) + fees.sumMicro ===
      payouts.settledMicro + refunds.settledMicro + escrow.keptMicro + kept.keptMicro + heldMicro;
    const hasMore = [fees, payouts, refunds].some(({ rows }) => rows.length > limit);
    const shown = {
      fees: fees.rows.slice(0, limit),
      payouts: payouts.rows.slice(0, limit),
      refunds: refunds.rows.slice(0, limit),
    };
    return {
      project_id: project.id,
      status: project.status,
      selection: project.selection,
      network: project.network,
      asset: project.asset,
      treasury: project.payTo,
      prize: prize ? paid(prize) : null,
      entry_fees: { count: fees.count, total_micro: fees.sumMicro, payments: shown.fees.map(paid) },
      payouts: shown.payouts.map((row) => ({ kind: row.kind === 'prize' ? 'prize' : 'share', ...owed(row) })),
      refunds: shown.refunds.map((row) => ({ of: row.submissionId === null ? 'prize' : 'entry_fee', ...owed(row) })),
      paid_out_micro: payouts.settledMicro,
      refunded_micro: refunds.settledMicro,
      platform_fee_micro: escrow.keptMicro,
      entry_fees_kept_micro: kept.keptMicro,
      held_micro: heldMicro,
      balanced,
      has_more: hasMore,
      next_cursor: hasMore ? encode(after, shown) : null,
    };
  });
}

async function readMoney(tx: Tx, projectId: string, after: Places, limit: number) {
  const submissionIds = await submissionIdsOf(tx, projectId);
  const [prizes, fees, payouts, refunds, escrow, kept, ofPrize, ofFees] = await Promise.all([
    settledPage(tx, 'escrow', [projectId], { after: FIRST, limit: 1 }),
    settledPage(tx, 'entry_fee', submissionIds, { after: after.fees, limit }),
    payoutsPage(tx, projectId, ['prize', 'share'], { after: after.payouts, limit }),
    payoutsPage(tx, projectId, ['refund'], { after: after.refunds, limit }),
    accountFlow(tx, escrowAccount(projectId)),
    accountFlow(tx, feesAccount(projectId)),
    sumEarnedApart(tx, 'escrow', [projectId]),
    sumEarnedApart(tx, 'entry_fee', submissionIds),
  ]);
  escrow.keptMicro += ofPrize;
  kept.keptMicro += ofFees;
  return { prize: prizes.rows[0], fees, payouts, refunds, escrow, kept };
}

function paid({ amountMicro, payer, txHash, settledAt }: SettledMoney) {
  return { amount_micro: amountMicro, payer, tx_hash: txHash, settled_at: settledAt };
}

function owed(row: PayoutRow) {
  const { submissionId, amountMicro, recipient, txHash, settledAt } = row;
  return {
    submission_id: submissionId,
    amount_micro: amountMicro,
    recipient,
    status: payoutStatus(row),
    tx_hash: txHash,
    settled_at: settledAt,
  };
}

type Shown = { fees: { settledAt: Date; id: string }[]; payouts: PayoutRow[]; refunds: PayoutRow[] };

/** A list without further rows keeps its position. */
function encode(before: Places, { fees, payouts, refunds }: Shown): string {
  const fee = fees.at(-1);
  const places = [
    fee ? { at: fee.settledAt, id: fee.id } : before.fees,
    placeOf(payouts.at(-1)) ?? before.payouts,
    placeOf(refunds.at(-1)) ?? before.refunds,
  ];
  return places.map(encodeCursor).join('');
}

function placeOf(row: PayoutRow | undefined): Cursor | null {
  return row ? { at: row.createdAt, id: row.id } : null;
}

/** @throws DomainError INVALID_PARAMETER */
function decode(cursor: string): Places {
  const part = (index: number) => decodeCursor(CURSOR.test(cursor) ? cursor.slice(index * 32, index * 32 + 32) : '');
  return { fees: part(0), payouts: part(1), refunds: part(2) };
}
