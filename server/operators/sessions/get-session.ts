import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { endSessionsOf } from './end-session.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import {
  claimConfirmation,
  extendSession,
  findSession,
  recordConfirmation,
  type SessionRow,
} from './session-queries.ts';
import { CONFIRM_MS, operatorSessionEnd } from './session-times.ts';

type Ctx = Context<OperatorCaller>;

/** Returns the signed-in operator, and extends the session of the request. The identity provider may end it instead. */
export async function getOperatorSession(
  ctx: Ctx,
): Promise<Output<typeof operatorSessionOperations.getOperatorSession>> {
  const { name, scope, sessionId: id } = ctx.caller;
  if (id === undefined) return { name, scope, session: null };
  const stored = await findSession(ctx.db, id);
  // The session ended while this request was in progress.
  if (!stored) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  const refresh = openTokens(ctx, id, stored.tokens).refresh;
  const session = refresh === null ? stored : await confirmed(ctx, stored, refresh);
  const now = ctx.clock.now();
  const isConfirmed = session.subject === null || refresh !== null;
  const expiresAt = operatorSessionEnd({ createdAt: session.createdAt, now, isConfirmed });
  const end = await extendSession(ctx.db, { id, now, expiresAt });
  if (!end) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  // The cached end is the earlier one.
  ctx.operatorSessions.forget(id);
  return { name: session.name, scope: session.scope, session: { created_at: session.createdAt, expires_at: end } };
}

/** Asks the provider about the person, at most every 5 minutes. @throws DomainError UNAUTHORIZED for a lost right */
async function confirmed(ctx: Ctx, session: SessionRow, refresh: string): Promise<SessionRow> {
  const { id, subject } = session;
  const { identityProvider: provider } = ctx;
  const now = ctx.clock.now();
  if (provider === null || subject === null) return session;
  // A refresh token may work once, so only one request uses it.
  if (!(await claimConfirmation(ctx.db, { id, before: new Date(now.getTime() - CONFIRM_MS), now }))) return session;
  const person = await provider.confirm({ subject, refresh });
  if (person === 'unknown') return session;
  if (person === 'ended' || person.scope === null) {
    // The provider no longer accepts this session's token, or the person has lost the right in all sessions.
    await endSessionsOf(ctx, { subject, only: person === 'ended' ? id : null });
    throw new DomainError('UNAUTHORIZED', `${provider.host} has ended your session or your right. Sign in again.`);
  }
  const { name, scope, tokens: given } = person;
  const tokens = sealTokens(ctx, id, { refresh: given.refresh ?? refresh, id: given.id });
  await withTransaction(ctx.db, (tx) => recordConfirmation(tx, { id, subject, name, scope, tokens }));
  return { ...session, name, scope };
}
