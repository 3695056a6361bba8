import { DomainError } from '../../contract/basics/errors.ts';
import type { OperatorScope } from '../../contract/basics/scope.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { claimConfirmation, endSessions, type OperatorPart, recordConfirmation } from '../keys/public.ts';
import { holderOf } from './holder.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { CONFIRM_MS } from './session-times.ts';

type Right = { name: string | null; scope: OperatorScope };
type ConfirmDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'knownKeys' | 'identityProvider' | 'answerSeals'>;

/**
 * Asks the provider about the person of a session, at most every 30 s, whatever the person does meanwhile. Returns the right as
 * it is now.
 *
 * @throws DomainError UNAUTHORIZED for a lost right, after the sessions and their streams have ended
 */
export async function confirmRight(
  deps: ConfirmDeps,
  known: OperatorPart,
  { id, subject }: { id: string; subject: string },
): Promise<Right> {
  const { identityProvider: provider, db } = deps;
  const { refresh } = openTokens(deps, id, known.tokens);
  if (provider === null || refresh === null) return known;
  const now = deps.clock.now();
  // A refresh token may work once, so only one request uses it.
  if (!(await claimConfirmation(db, { id, before: new Date(now.getTime() - CONFIRM_MS), now }))) return known;
  const person = await provider.confirm({ subject, refresh });
  if (person === 'unknown') return known;
  if (person === 'ended' || person.scope === null) {
    // The provider no longer accepts this session's token, or the person has lost the right in all sessions.
    await endSessions(deps, holderOf(subject), { only: person === 'ended' ? id : null });
    throw new DomainError('UNAUTHORIZED', `${provider.host} has ended your session or your right. Sign in again.`);
  }
  const { name, scope, tokens: given } = person;
  const tokens = sealTokens(deps, id, { refresh: given.refresh ?? refresh, id: given.id });
  const { accountId } = holderOf(subject);
  await withTransaction(db, (tx) => recordConfirmation(tx, { id, accountId, name, scope, tokens }));
  return { name, scope };
}
