import { DomainError } from '../../contract/basics/errors.ts';
import type { Output } from '../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import type { Context } from '../deps.ts';
import { extendSession, findOperatorPart, findSession } from '../keys/public.ts';
import type { OperatorCaller } from '../callers.ts';
import { subjectOf } from './holder.ts';
import { openTokens } from './sealed-tokens.ts';
import { operatorSessionEnd } from './session-times.ts';

/** Returns the signed-in operator, and extends the session of the request. */
export async function getOperatorSession(
  ctx: Context<OperatorCaller>,
): Promise<Output<typeof operatorSessionOperations.getOperatorSession>> {
  const { name, scope, sessionId: id } = ctx.caller;
  if (id === undefined) return { name, scope, session: null };
  const [session, part] = await Promise.all([findSession(ctx.db, 'operator', id), findOperatorPart(ctx.db, id)]);
  // The session ended while this request was in progress.
  if (!session || !part) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  const { createdAt, accountId } = session;
  const isConfirmed = subjectOf(accountId) === null || openTokens(ctx, id, part.tokens).refresh !== null;
  const now = ctx.clock.now();
  const end = await extendSession(ctx.db, { id, now, expiresAt: operatorSessionEnd({ createdAt, now, isConfirmed }) });
  if (!end) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  // The cached end is the earlier one.
  ctx.knownKeys.forget(id);
  return { name, scope, session: { created_at: createdAt, expires_at: end } };
}
