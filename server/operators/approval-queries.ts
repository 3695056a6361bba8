import type { JSONValue } from 'postgres';
import type { Cursor, Times } from '../paging.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type ApprovalRow = {
  id: string;
  operation: string;
  subject: string;
  input: Record<string, JSONValue>;
  amountMicro: number;
  state: 'pending' | 'approved' | 'rejected';
  requestedBy: string;
  requestedAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  reason: string | null;
};

const approvalColumns = (db: Queryable) => db`
  id, operation, subject, input, amount_micro as "amountMicro", state, requested_by as "requestedBy",
  requested_at as "requestedAt", expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt", reason`;

type NewApproval = Pick<
  ApprovalRow,
  'id' | 'operation' | 'subject' | 'input' | 'amountMicro' | 'requestedBy' | 'requestedAt' | 'expiresAt'
> & { fingerprint: Buffer };

export async function insertApproval(tx: Tx, approval: NewApproval): Promise<void> {
  const { id, operation, subject, input, fingerprint, amountMicro, requestedBy, requestedAt, expiresAt } = approval;
  await tx`
    insert into operator_approvals (id, operation, subject, input, fingerprint, amount_micro, requested_by, requested_at,
      expires_at)
    values (${id}, ${operation}, ${subject}, ${tx.json(input)}, ${fingerprint}, ${amountMicro}, ${requestedBy},
      ${requestedAt}, ${expiresAt})`;
}

/** Makes equal requests of one operator run one after the other, until the transaction ends. */
export async function lockRequests(
  tx: Tx,
  { requestedBy, fingerprint }: Pick<NewApproval, 'requestedBy' | 'fingerprint'>,
) {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`approval ${requestedBy} ${fingerprint.toString('hex')}`}, 0))`;
}

/** Returns the pending request that equals a new one. Index operator_approvals_pending. */
export async function findPending(
  tx: Tx,
  { requestedBy, fingerprint, now }: { requestedBy: string; fingerprint: Buffer; now: Date },
): Promise<ApprovalRow | null> {
  const [row] = await tx<ApprovalRow[]>`
    select ${approvalColumns(tx)} from operator_approvals
    where requested_by = ${requestedBy} and fingerprint = ${fingerprint} and state = 'pending' and expires_at > ${now}
    limit 1`;
  return row ?? null;
}

export async function findApproval(db: Queryable, id: string): Promise<ApprovalRow | null> {
  const [row] = await db<ApprovalRow[]>`select ${approvalColumns(db)} from operator_approvals where id = ${id}`;
  return row ?? null;
}

/**
 * Decides a pending request. Returns null if it was decided before, or its time is over. If two
 * decisions come at once, the second one waits here for the first.
 */
export async function decideApproval(
  tx: Tx,
  {
    id,
    state,
    by,
    reason,
    now,
  }: { id: string; state: 'approved' | 'rejected'; by: string; reason: string | null; now: Date },
): Promise<ApprovalRow | null> {
  const [row] = await tx<ApprovalRow[]>`
    update operator_approvals set state = ${state}, decided_by = ${by}, decided_at = ${now}, reason = ${reason}
    where id = ${id} and state = 'pending' and expires_at > ${now}
    returning ${approvalColumns(tx)}`;
  return row ?? null;
}

export type ApprovalFilter = Times & {
  state: ApprovalRow['state'] | 'expired' | undefined;
  now: Date;
  minMicro?: number | undefined;
  maxMicro?: number | undefined;
};

/** Returns requests after a cursor, newest first. Index operator_approvals_requested. */
export async function listApprovalRows(
  db: Queryable,
  { state, now, since, before, minMicro, maxMicro }: ApprovalFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ApprovalRow[]> {
  const isState =
    state === undefined
      ? db``
      : state === 'expired'
        ? db`and state = 'pending' and expires_at <= ${now}`
        : db`and state = ${state} ${state === 'pending' ? db`and expires_at > ${now}` : db``}`;
  return await db<ApprovalRow[]>`
    select ${approvalColumns(db)} from operator_approvals
    where true ${isState}
      ${since === undefined ? db`` : db`and requested_at >= ${since}`}
      ${before === undefined ? db`` : db`and requested_at < ${before}`}
      ${minMicro === undefined ? db`` : db`and amount_micro >= ${minMicro}`}
      ${maxMicro === undefined ? db`` : db`and amount_micro <= ${maxMicro}`}
      ${after === null ? db`` : db`and (requested_at, id) < (${after.at}, ${after.id})`}
    order by requested_at desc, id desc limit ${limit}`;
}
