import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { extendSession, findSession } from './session-queries.ts';
import { operatorSessionEnd } from './session-times.ts';

type Shown = Output<typeof operatorSessionOperations.getOperatorSession>;

/** Returns the signed-in operator, and extends the session of the request. */
export async function getOperatorSession(ctx: Context<OperatorCaller>): Promise<Shown> {
  const { name, scope, sessionId } = ctx.caller;
  return { name, scope, session: sessionId === undefined ? null : await extended(ctx, sessionId) };
}

async function extended({ db, clock, operatorSessions }: Context, id: string): Promise<Shown['session']> {
  const now = clock.now();
  const session = await findSession(db, id);
  const expiresAt =
    session &&
    (await extendSession(db, { id, now, expiresAt: operatorSessionEnd({ createdAt: session.createdAt, now }) }));
  // The session ended while this request was in progress.
  if (!session || !expiresAt) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  // The cached end is the earlier one.
  operatorSessions.forget(id);
  return { created_at: session.createdAt, expires_at: expiresAt };
}
