import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { recordEnds } from '../../events/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { openTokens } from './sealed-tokens.ts';
import { endSessions, findSession } from './session-queries.ts';

type Operation = typeof operatorSessionOperations.deleteOperatorSession;
type Ctx = Context<OperatorCaller>;

/**
 * Ends the session of the request. With `everywhere`, or with a key, it ends every session of the operator. Other
 * processes reject an ended session within a second.
 */
export async function deleteOperatorSession(ctx: Ctx, { query }: Input<Operation>): Promise<Output<Operation>> {
  const { sessionId } = ctx.caller;
  const session = sessionId === undefined ? null : await findSession(ctx.db, sessionId);
  const only = query.everywhere ? null : (sessionId ?? null);
  const ended = await endSessionsOf(ctx, { subject: session?.subject ?? null, only });
  const isOfProvider = session !== null && session.subject !== null;
  const { id } = openTokens(ctx, session?.id ?? '', session?.tokens ?? null);
  return {
    message: 'Signed out.',
    ended,
    provider_url: isOfProvider ? ((await ctx.identityProvider?.signOutUrl(id)) ?? null) : null,
  };
}

/** Ends sessions of an operator with their streams. `subject` is null for OPERATOR_KEY. Returns how many ended. */
export async function endSessionsOf(
  ctx: Ctx,
  { subject, only }: { subject: string | null; only: string | null },
): Promise<number> {
  const now = ctx.clock.now();
  const ended = await withTransaction(ctx.db, async (tx) => {
    const ids = await endSessions(tx, { subject, only, now });
    await recordEnds(ctx, tx, now, { account: 'operator', ids });
    return ids;
  });
  for (const id of ended) ctx.operatorSessions.forget(id);
  return ended.length;
}
