import type { Output } from '../../contract/basics/operation.ts';
import type { peopleOperations } from '../../contract/operator/operators.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { findActive, listOperatorRows, type OperatorRow } from './queries.ts';

type Operator = Output<typeof peopleOperations.listOperators>['operators'][number];

export async function listOperators(
  ctx: Context<OperatorCaller>,
): Promise<Output<typeof peopleOperations.listOperators>> {
  return { operators: (await listOperatorRows(ctx.db)).map(shownOperator) };
}

/** Returns the operator of the request's own key. */
export async function getOperator({
  caller: { name, scopes },
  db,
  clock,
}: Context<OperatorCaller>): Promise<Output<typeof peopleOperations.getOperator>> {
  const row = name === null ? null : await findActive(db, name, clock.now());
  return { name, scopes: [...scopes], codes: row?.codes ?? false, expires_at: row?.expiresAt ?? null };
}

export function shownOperator({ name, scopes, codes, ...row }: OperatorRow): Operator {
  return {
    name,
    scopes,
    codes,
    added_by: row.addedBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    revoked_at: row.revokedAt,
  };
}
