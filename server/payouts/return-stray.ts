import { DomainError } from '../../contract/basics/errors.ts';
import type { strayOperations } from '../../contract/operator/strays.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { payableAccount, postJournal, STRAY } from '../ledger/public.ts';
import { requireApproval } from '../operators/public.ts';
import { findStray, takeStray, type StrayTransfer } from '../payments/public.ts';
import { formatStray, senderOf } from './list-strays.ts';
import { owe } from './owe.ts';
import { findByReference } from './queries.ts';
import { strayReference } from './references.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof strayOperations.returnStray;

/**
 * Owes a stray transfer back to its sender. From then on no payment can claim the transfer. Of two requests at once, one
 * takes the row, so that the transfer is owed once.
 */
export async function returnStray(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { stray_id: id } = params;
  const found = await findStray(ctx.db, ctx.network.id, id);
  if (!found) throw new DomainError('NOT_FOUND', 'No such stray transfer.');
  const sender = senderOf(found);
  if (sender === null) throw conflict('Nobody knows who sent this transfer, so it cannot go back.');
  await withTransaction(ctx.db, async (tx) => {
    const stray = await takeStray(tx, ctx.network.id, id, ctx.clock.now());
    if (!stray) return;
    await requireApproval(ctx, tx, { amountMicro: stray.amountMicro, subject: `stray:${id}` });
    await giveBack(ctx, tx, { stray, sender, reason: body.reason });
  });
  const stray = await findStray(ctx.db, ctx.network.id, id);
  const payout = await findByReference(ctx.db, strayReference(id));
  if (!stray || !payout) throw conflict('A payment has claimed this transfer.');
  return { message: 'The transfer is owed back to its sender.', stray: formatStray(stray, payout) };
}

async function giveBack(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  { stray, sender, reason }: { stray: StrayTransfer; sender: string; reason: string },
): Promise<void> {
  const { id, amountMicro, recordedAt, txHash } = stray;
  const at = ctx.clock.now();
  const debitAccount = payableAccount(sender);
  const payout = {
    id: ctx.newId(),
    reference: strayReference(id),
    kind: 'return' as const,
    projectId: null,
    submissionId: null,
    agentId: null,
    paymentId: null,
    amountMicro,
    debitAccount,
    recipient: sender,
    depositedAt: recordedAt,
  };
  await owe(ctx, tx, [payout], at);
  await recordAudit(ctx, tx, {
    at,
    actor: 'operator',
    action: 'transfer.return',
    subject: `payout:${payout.id}`,
    reason,
    details: { stray_id: id, sender, amount_micro: amountMicro, tx_hash: txHash },
  });
  await postJournal(tx, {
    id: ctx.newId(),
    kind: 'stray_return',
    paymentId: null,
    at,
    lines: [
      { account: STRAY, amountMicro },
      { account: debitAccount, amountMicro: -amountMicro },
    ],
  });
}

function conflict(message: string): DomainError {
  return new DomainError('PROJECT_STATE_CONFLICT', message);
}
