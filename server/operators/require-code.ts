import { DomainError } from '../../contract/basics/errors.ts';
import { needsCode } from '../../contract/basics/operator-scope.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { requireAcceptedCode, useCode } from './codes.ts';
import { lockCodes } from './queries.ts';

/**
 * Requires a code for an act of `money` or `admin` by an operator who enrolled. The code is used up even if the act fails
 * afterwards.
 *
 * @throws DomainError OPERATOR_CODE_REQUIRED, OPERATOR_CODE_INVALID, or RATE_LIMIT_EXCEEDED
 */
export async function requireOperatorCode(
  deps: Pick<Deps, 'db' | 'clock' | 'answerSeals'>,
  { operatorId }: OperatorCaller,
  { operatorScope = 'admin' }: Pick<OperationSpec, 'operatorScope'>,
  code: string | null,
): Promise<void> {
  if (operatorId === null || !needsCode(operatorScope)) return;
  const outcome = await withTransaction(deps.db, async (tx) => {
    const row = await lockCodes(tx, operatorId);
    if (!row?.secret || !row.confirmed) return 'right';
    if (code === null) return 'missing';
    return await useCode(deps, tx, { operatorId, row, secret: row.secret, code: code.trim() });
  });
  if (outcome === 'missing')
    throw new DomainError(
      'OPERATOR_CODE_REQUIRED',
      'This act needs a code of your authenticator app: X-Operator-Code.',
    );
  requireAcceptedCode(outcome);
}
