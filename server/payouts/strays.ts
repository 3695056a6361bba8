import { DomainError } from '../../contract/basics/errors.ts';
import type { strayOperations } from '../../contract/operator/strays.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import { payableAccount, postJournal, STRAY } from '../ledger/public.ts';
import { findStray, listStrayRows, takeStray, type StrayTransfer } from '../payments/public.ts';
import { owe } from './owe.ts';
import { findByReference, findByReferences, type PayoutRow } from './queries.ts';
import { strayReference } from './references.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { snakeCased } from '../snake-case.ts';

type List = typeof strayOperations.listStrays;
type Return = typeof strayOperations.returnStray;

const NOBODY = `0x${'0'.repeat(40)}`;
const NO_TRANSACTION = `0x${'0'.repeat(64)}`;

type Page = Omit<Output<List>, 'strays'> & { strays: ShownStray[] };
type ShownStray = Omit<Output<List>['strays'][number], 'parties'>;

/** Lists transfers to the treasury that belong to no payment, newest first. */
export async function strayPage(
  { db, network }: { db: Queryable } & Pick<Deps, 'network'>,
  query: Input<List>['query'],
): Promise<Page> {
  const { rows, end } = await listStrayRows(db, network.id, query);
  const returned = rows.filter(({ returnedAt }) => returnedAt !== null);
  const payouts = await findByReferences(
    db,
    returned.map(({ id }) => strayReference(id)),
  );
  const byReference = new Map(payouts.map((payout) => [payout.reference, payout]));
  return {
    strays: rows.map((row) => formatStray(row, byReference.get(strayReference(row.id)) ?? null)),
    ...end,
  };
}

/** Returns the address to which a stray can go back, or null: it was minted, or nobody knows who sent it. */
function senderOf({ from }: Pick<StrayTransfer, 'from'>): string | null {
  return from === NOBODY ? null : from;
}

/** Builds the operator's answer for one stray. */
function formatStray(row: StrayTransfer, payout: PayoutRow | null): ShownStray {
  const { id, amountMicro, txHash, blockNumber, recordedAt, paymentId, returnedAt } = row;
  return {
    id,
    sender: senderOf(row),
    amount_micro: amountMicro,
    tx_hash: txHash === NO_TRANSACTION ? null : txHash,
    block: blockNumber,
    recorded_at: recordedAt,
    state: returnedAt === null ? (paymentId === null ? 'unclaimed' : 'claimed') : 'returned',
    payment_id: paymentId,
    payout: payout && snakeCased(payout),
  };
}

/**
 * Owes a stray transfer back to its sender. From then on no payment can claim the transfer. If two requests
 * come at once, one takes the row, so that the transfer is owed once.
 */
export async function returnStray(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Return>,
): Promise<Output<Return>> {
  const { stray_id: id } = params;
  const found = await findStray(ctx.db, ctx.network.id, id);
  if (!found) throw new DomainError('NOT_FOUND', 'No such stray transfer.');
  if (senderOf(found) === null) throw conflict('Nobody knows who sent this transfer, so it cannot go back.');
  await giveStrayBack(ctx, id, { actor: 'operator', reason: body.reason });
  const stray = await findStray(ctx.db, ctx.network.id, id);
  const payout = await findByReference(ctx.db, strayReference(id));
  if (!stray || !payout) throw conflict('A payment has claimed this transfer.');
  return { message: 'The transfer is owed back to its sender.', stray: formatStray(stray, payout) };
}

/**
 * Owes an unclaimed stray to its sender. Does nothing if it has an owner, was given back before, or has no known sender.
 * Returns the id of the new payout, or null.
 */
export async function giveStrayBack(ctx: ReturnDeps, id: string, why: Why): Promise<string | null> {
  const found = await findStray(ctx.db, ctx.network.id, id);
  const sender = found && senderOf(found);
  if (!sender) return null;
  return await withTransaction(ctx.db, async (tx) => {
    const stray = await takeStray(tx, ctx.network.id, id, ctx.clock.now());
    if (!stray) return null;
    return await giveBack(ctx, tx, { stray, sender, ...why });
  });
}

type Why = { actor: 'operator' | 'service'; reason: string };

type ReturnDeps = Pick<Deps, 'db' | 'clock' | 'network' | 'newId'>;

async function giveBack(
  ctx: ReturnDeps,
  tx: Tx,
  { stray, sender, actor, reason }: Why & { stray: StrayTransfer; sender: string },
): Promise<string> {
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
    actor,
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
  return payout.id;
}

function conflict(message: string): DomainError {
  return new DomainError('PROJECT_STATE_CONFLICT', message);
}
