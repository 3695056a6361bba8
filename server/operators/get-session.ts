import { DomainError } from '../../contract/basics/errors.ts';
import type { Output } from '../../contract/basics/operation.ts';
import type { OperatorScope } from '../../contract/basics/scope.ts';
import type { operatorSessionOperations } from '../../contract/operator/sessions.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import {
  claimConfirmation,
  endSessions,
  extendSession,
  findOperatorPart,
  findSession,
  recordConfirmation,
} from '../keys/public.ts';
import type { OperatorCaller } from '../callers.ts';
import { holderOf, subjectOf } from './holder.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { CONFIRM_MS, operatorSessionEnd } from './session-times.ts';

type Ctx = Context<OperatorCaller>;
type Right = { name: string | null; scope: OperatorScope };

/** Returns the signed-in operator, and extends the session of the request. The identity provider may end it instead. */
export async function getOperatorSession(
  ctx: Ctx,
): Promise<Output<typeof operatorSessionOperations.getOperatorSession>> {
  const { name, scope, sessionId: id } = ctx.caller;
  if (id === undefined) return { name, scope, session: null };
  const [session, part] = await Promise.all([findSession(ctx.db, 'operator', id), findOperatorPart(ctx.db, id)]);
  // The session ended while this request was in progress.
  if (!session || !part) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  const { createdAt, accountId } = session;
  const subject = subjectOf(accountId);
  const { refresh } = openTokens(ctx, id, part.tokens);
  const right = subject === null || refresh === null ? part : await confirmed(ctx, part, { id, subject, refresh });
  const now = ctx.clock.now();
  const expiresAt = operatorSessionEnd({ createdAt, now, isConfirmed: subject === null || refresh !== null });
  const end = await extendSession(ctx.db, { id, now, expiresAt });
  if (!end) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  // The cached end is the earlier one.
  ctx.knownKeys.forget(id);
  return { name: right.name, scope: right.scope, session: { created_at: createdAt, expires_at: end } };
}

/** Asks the provider about the person, at most every 5 minutes. @throws DomainError UNAUTHORIZED for a lost right */
async function confirmed(
  ctx: Ctx,
  known: Right,
  { id, subject, refresh }: { id: string; subject: string; refresh: string },
): Promise<Right> {
  const { identityProvider: provider } = ctx;
  const now = ctx.clock.now();
  if (provider === null) return known;
  // A refresh token may work once, so only one request uses it.
  if (!(await claimConfirmation(ctx.db, { id, before: new Date(now.getTime() - CONFIRM_MS), now }))) return known;
  const person = await provider.confirm({ subject, refresh });
  if (person === 'unknown') return known;
  if (person === 'ended' || person.scope === null) {
    // The provider no longer accepts this session's token, or the person has lost the right in all sessions.
    await endSessions(ctx, holderOf(subject), { only: person === 'ended' ? id : null });
    throw new DomainError('UNAUTHORIZED', `${provider.host} has ended your session or your right. Sign in again.`);
  }
  const { name, scope, tokens: given } = person;
  const tokens = sealTokens(ctx, id, { refresh: given.refresh ?? refresh, id: given.id });
  const { accountId } = holderOf(subject);
  await withTransaction(ctx.db, (tx) => recordConfirmation(tx, { id, accountId, name, scope, tokens }));
  return { name, scope };
}
