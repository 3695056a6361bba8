import type { Output } from '../../contract/basics/operation.ts';
import type { PosterScope } from '../../contract/basics/scope.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { PosterRow, Session } from './session-queries.ts';

/** Builds the response that describes the signed-in poster, what it may do, and its session. */
export function sessionView(
  { id, name, email, walletAddress, createdAt }: PosterRow,
  scope: PosterScope,
  session: Pick<Session, 'keyId' | 'expiresAt'> | null,
): Output<typeof sessionOperations.getSession> {
  return {
    poster: { id, name, email, wallet_address: walletAddress, created_at: createdAt },
    scope,
    session: session && { signed_in_with: session.keyId === null ? 'wallet' : 'key', expires_at: session.expiresAt },
  };
}
