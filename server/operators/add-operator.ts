import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { OperatorScope } from '../../contract/basics/operator-scope.ts';
import type { peopleOperations } from '../../contract/operator/operators.ts';
import { actorOf, recordAudit } from '../audit/public.ts';
import type { Context, Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { recordAlert } from '../events/public.ts';
import { issueKey, keyPrefix } from '../keys/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { insertOperator, type OperatorRow, revokeExpired } from './queries.ts';
import { shownOperator } from './list-operators.ts';

type Operation = typeof peopleOperations.addOperator;

const DAY_MS = 86_400_000;

export async function addOperator(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { operator, key } = await createOperator(ctx, { ...body, actor: actorOf(ctx.caller) });
  return {
    message: 'Give the key to its owner. It is shown only now.',
    operator: shownOperator(operator),
    apiKey: key,
  };
}

export type NewOperator = {
  name: string;
  scopes: OperatorScope[];
  expires_days: number;
  reason: string;
  /** In the audit trail. */
  actor: string;
};

/** Adds an operator and tells all operators of it. @throws DomainError OPERATOR_CONFLICT for a name in use */
export async function createOperator(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'randomBytes' | 'network'>,
  { name, scopes: given, expires_days: days, reason, actor }: NewOperator,
): Promise<{ operator: OperatorRow; key: string }> {
  const { key, id: keyId, secretHash } = issueKey(keyPrefix('operator', deps.network.testnet), deps.randomBytes);
  const at = deps.clock.now();
  const scopes = [...new Set(given)];
  const row = {
    id: deps.newId(),
    name,
    scopes,
    addedBy: actor,
    createdAt: at,
    expiresAt: new Date(at.getTime() + days * DAY_MS),
  };
  await withTransaction(deps.db, async (tx) => {
    // The name of an expired key is free again. A key that was added meanwhile stays.
    await revokeExpired(tx, name, at);
    if (!(await insertOperator(tx, { ...row, keyId, secretHash })))
      throw new DomainError('OPERATOR_CONFLICT', 'An operator has this name. Revoke that key first.');
    const subject = `operator:${name}` as const;
    const details = { scopes, expires_at: row.expiresAt.toISOString() };
    await recordAudit(deps, tx, { at, actor, action: 'operator.add', subject, reason, details });
    const message = `${actor} added the operator ${name} with the scopes ${scopes.join(', ')}.`;
    await recordAlert(tx, at, {
      type: 'ALERT.OPERATOR_ADDED',
      data: { subject: `operator:${row.id}`, message, details },
    });
  });
  return { operator: { ...row, revokedAt: null, codes: false }, key };
}
