import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import type { Context } from '../deps.ts';
import { endSessions, findOperatorPart } from '../keys/public.ts';
import type { OperatorCaller } from '../callers.ts';
import { holderOf } from './holder.ts';
import { openTokens } from './sealed-tokens.ts';

type Operation = typeof operatorSessionOperations.deleteOperatorSession;

/** Ends the session of the request. With `everywhere`, or with a key, it ends every session of the operator. */
export async function deleteOperatorSession(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { sessionId = '', person: subject = null } = ctx.caller;
  const part = await findOperatorPart(ctx.db, sessionId);
  const only = query.everywhere || sessionId === '' ? null : sessionId;
  const ended = await endSessions(ctx, holderOf(subject), { only });
  const { id } = openTokens(ctx, sessionId, part?.tokens ?? null);
  const provider = subject === null ? null : ctx.identityProvider;
  return { message: 'Signed out.', ended, provider_url: provider && (await provider.signOutUrl(id)) };
}
