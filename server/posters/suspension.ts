import { DomainError } from '../../contract/basics/errors.ts';
import type { Input } from '../../contract/basics/operation.ts';
import type { operatorPosterOperations } from '../../contract/operator/posters.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { findSuspension, lockSuspension, updateSuspension } from './suspension-queries.ts';

type Operation = typeof operatorPosterOperations.setPosterStatus;

const POSTER_STATUS_ACTION = 'poster.set_status';

/**
 * Suspends a poster, or ends the suspension. It touches no project: open briefs continue as they are.
 *
 * @throws DomainError NOT_FOUND, PROJECT_STATE_CONFLICT
 */
export async function changePosterStatus(
  ctx: Context<OperatorCaller>,
  { params: { poster_id: posterId }, body: { status, reason, instead_of: expected } }: Input<Operation>,
): Promise<void> {
  const at = ctx.clock.now();
  await withTransaction(ctx.db, async (tx) => {
    const current = await lockSuspension(tx, posterId);
    if (!current) throw posterNotFound();
    const from = current.suspendedAt === null ? 'active' : 'suspended';
    if (from === status && (status === 'active' || current.reason === reason)) return;
    if (expected !== undefined && expected !== from) throw changedMeanwhile(from, current.reason);
    const next = status === 'active' ? { suspendedAt: null, reason: null } : { suspendedAt: at, reason };
    await updateSuspension(tx, posterId, next);
    await recordAudit(ctx, tx, {
      at,
      actor: 'operator',
      action: POSTER_STATUS_ACTION,
      subject: `poster:${posterId}`,
      reason,
      details: { from, to: status },
    });
  });
}

function changedMeanwhile(status: string, reason: string | null): DomainError {
  const why = reason === null ? '' : `: ${reason}`;
  return new DomainError(
    'PROJECT_STATE_CONFLICT',
    `Another operator has changed this status meanwhile. The poster is ${status}${why}`,
  );
}

/** Returns whether the poster is suspended now. */
export async function isSuspended(db: Queryable, posterId: string): Promise<boolean> {
  return (await findSuspension(db, posterId, { forShare: false }))?.suspendedAt instanceof Date;
}

/** @throws DomainError POSTER_SUSPENDED */
export async function requireMayPublish(db: Queryable, posterId: string): Promise<void> {
  refuse(await findSuspension(db, posterId, { forShare: false }));
}

/** Works like `requireMayPublish`. A suspension waits until the transaction ends. @throws DomainError POSTER_SUSPENDED */
export async function lockMayPublish(tx: Tx, posterId: string): Promise<void> {
  refuse(await findSuspension(tx, posterId, { forShare: true }));
}

function refuse(suspension: Awaited<ReturnType<typeof findSuspension>>): void {
  if (!suspension?.suspendedAt) return;
  throw new DomainError(
    'POSTER_SUSPENDED',
    `Your account is suspended, so you cannot publish. Your open projects go on. Reason: ${suspension.reason ?? ''}`,
  );
}

/** Returns the error for an unknown poster. */
export function posterNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'No such poster.');
}
