import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { peopleOperations } from '../../contract/operator/operators.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { codesUri, newSecret, requireAcceptedCode, sealSecret, useCode } from './codes.ts';
import { confirmCodeSecret, lockCodes, setCodeSecret } from './queries.ts';

type Ctx = Context<OperatorCaller>;

/** Issues a secret for codes. Until it is confirmed, a later request replaces it. */
export async function enrollForCodes(ctx: Ctx): Promise<Output<typeof peopleOperations.enrollForCodes>> {
  const secret = newSecret(ctx);
  const label = await withTransaction(ctx.db, async (tx) => {
    const { operatorId, name } = requireNamed(ctx.caller);
    const row = await lockCodes(tx, operatorId);
    if (row?.confirmed) throw conflict('You use codes already. Remove them first.');
    await setCodeSecret(tx, operatorId, sealSecret(ctx, operatorId, secret));
    return name;
  });
  return {
    message: 'Scan the URI with an authenticator app, then confirm with its first code.',
    code_secret: secret,
    uri: codesUri(ctx, { name: label, secret }),
  };
}

/** Makes the codes required. */
export async function confirmCodes(
  ctx: Ctx,
  { body }: Input<typeof peopleOperations.confirmCodes>,
): Promise<Output<typeof peopleOperations.confirmCodes>> {
  await changeCodes(ctx, body.code, { confirmed: false });
  return { message: 'Acts of money and admin now need a code in X-Operator-Code.' };
}

/** Removes the secret, by one last code. */
export async function removeCodes(
  ctx: Ctx,
  { body }: Input<typeof peopleOperations.removeCodes>,
): Promise<Output<typeof peopleOperations.removeCodes>> {
  await changeCodes(ctx, body.code, { confirmed: true });
  return { message: 'Your acts no longer need a code.' };
}

/** Confirms a secret that is not confirmed, or removes one that is. */
async function changeCodes(ctx: Ctx, code: string, { confirmed }: { confirmed: boolean }): Promise<void> {
  const at = ctx.clock.now();
  const outcome = await withTransaction(ctx.db, async (tx) => {
    const { operatorId, name } = requireNamed(ctx.caller);
    const row = await lockCodes(tx, operatorId);
    if (!row?.secret || row.confirmed !== confirmed)
      throw conflict(confirmed ? 'You use no codes.' : 'There is no secret to confirm. Enroll first.');
    const used = await useCode(ctx, tx, { operatorId, row, secret: row.secret, code });
    if (used !== 'right') return used;
    await (confirmed ? setCodeSecret(tx, operatorId, null) : confirmCodeSecret(tx, operatorId, at));
    const action = confirmed ? 'operator.remove_codes' : 'operator.enroll';
    await recordAudit(ctx, tx, { at, actor: 'operator', action, subject: `operator:${name}` });
    return used;
  });
  requireAcceptedCode(outcome);
}

function requireNamed({ operatorId, name }: OperatorCaller): { operatorId: string; name: string } {
  if (operatorId !== null && name !== null) return { operatorId, name };
  throw conflict('OPERATOR_KEY has no codes. Sign in as a named operator.');
}

function conflict(message: string): DomainError {
  return new DomainError('OPERATOR_CONFLICT', message);
}
