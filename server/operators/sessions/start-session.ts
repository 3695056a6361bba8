import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { issueKey, keyPrefix } from '../../keys/public.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import { SessionStarted } from '../../serve.ts';
import { insertSession } from './session-queries.ts';
import { OPERATOR_SESSION_SECONDS, operatorSessionEnd } from './session-times.ts';

type Operation = typeof operatorSessionOperations.createOperatorSession;

// Enough for all browsers of a person. The oldest session ends first.
const MAX_SESSIONS = 10;

/** Starts a session for a key of an operator. The browser then forgets the key. */
export async function createOperatorSession(
  ctx: Context<PublicCaller>,
  { body }: Input<Operation>,
): Promise<SessionStarted<Output<Operation>>> {
  const holder = ctx.operatorSessions.holderOf(body.api_key.trim());
  if (!holder) throw new DomainError('INVALID_API_KEY', 'Invalid API key');
  const { name, scope } = holder;
  const now = ctx.clock.now();
  const { key, id, secretHash } = issueKey(keyPrefix('operatorSession', ctx.network.testnet), ctx.randomBytes);
  const session = {
    id,
    sharedKeyHash: ctx.operatorSessions.sharedHashOf(id),
    secretHash,
    createdAt: now,
    expiresAt: operatorSessionEnd({ createdAt: now, now }),
  };
  await withTransaction(ctx.db, (tx) => insertSession(tx, session, MAX_SESSIONS));
  return new SessionStarted(
    {
      message: 'Signed in.',
      name,
      scope,
      session: { created_at: session.createdAt, expires_at: session.expiresAt },
    },
    { kind: 'operator', token: key, maxAgeSeconds: OPERATOR_SESSION_SECONDS },
  );
}
