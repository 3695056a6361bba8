import type { Output } from '../../contract/basics/operation.ts';
import type { PosterScope } from '../../contract/basics/scope.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { SessionRow } from '../keys/public.ts';
import type { PosterRow } from './session-queries.ts';
import type { Suspension } from './suspension-queries.ts';

type Viewed = {
  poster: PosterRow;
  scope: PosterScope;
  session: Pick<SessionRow, 'keyId' | 'expiresAt'> | null;
  suspension: Suspension | null;
};

/** Builds the answer that describes the signed-in poster, what it may do, its session, and its suspension. */
export function sessionView({
  poster,
  scope,
  session,
  suspension,
}: Viewed): Output<typeof sessionOperations.getSession> {
  const { id, name, walletAddress, createdAt } = poster;
  return {
    poster: { id, name, wallet_address: walletAddress, created_at: createdAt },
    scope,
    session: session && { signed_in_with: session.keyId === null ? 'wallet' : 'key', expires_at: session.expiresAt },
    suspension: suspension?.suspendedAt ? { since: suspension.suspendedAt, reason: suspension.reason ?? '' } : null,
  };
}
