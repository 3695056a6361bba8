import type { Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { PosterRow, Session } from './session-queries.ts';

/** Builds the response that describes the signed-in poster and its session. */
export function sessionView(
  { id, name, email, walletAddress, createdAt }: PosterRow,
  session: Pick<Session, 'keyId' | 'expiresAt'> | null,
): Output<typeof sessionOperations.getSession> {
  return {
    poster: { id, name, email, wallet_address: walletAddress, created_at: createdAt },
    session: session && { signed_in_with: session.keyId === null ? 'wallet' : 'key', expires_at: session.expiresAt },
  };
}
