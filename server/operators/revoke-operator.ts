import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { peopleOperations } from '../../contract/operator/operators.ts';
import { actorOf, recordAudit } from '../audit/public.ts';
import type { Context, Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { recordEnds } from '../events/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { findOperator, type OperatorRow, revokeByName } from './queries.ts';
import { shownOperator } from './list-operators.ts';

type Operation = typeof peopleOperations.revokeOperator;

export async function revokeOperator(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const operator = await endOperator(ctx, { name: params.name, reason: body.reason, actor: actorOf(ctx.caller) });
  return { message: 'The key is revoked.', operator: shownOperator(operator) };
}

/** Revokes the key of a name. A second request changes nothing. @throws DomainError NOT_FOUND */
export async function endOperator(
  deps: Pick<Deps, 'db' | 'clock' | 'newId'>,
  { name, reason, actor }: { name: string; reason: string; actor: string },
): Promise<OperatorRow> {
  return await withTransaction(deps.db, async (tx) => {
    const at = deps.clock.now();
    const isRevoked = await revokeByName(tx, name, at);
    if (isRevoked)
      await recordAudit(deps, tx, { at, actor, action: 'operator.revoke', subject: `operator:${name}`, reason });
    const operator = await findOperator(tx, name);
    if (operator && isRevoked) await recordEnds(deps, tx, at, { account: 'operator', ids: [operator.id] });
    if (!operator) throw new DomainError('NOT_FOUND', 'No operator has this name.');
    return operator;
  });
}
