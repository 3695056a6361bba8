import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { PosterScope } from '../../contract/basics/scope.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import {
  issueKey,
  keyPrefix,
  parseKey,
  requireSignedChallenge,
  sameHash,
  SESSION_SECONDS,
  sessionEnd,
  unknownChallenge,
} from '../keys/public.ts';
import { SessionStarted } from '../serve.ts';
import { findPosterOfKey } from './key-queries.ts';
import {
  findChallenge,
  findPoster,
  findPosterOfWallet,
  insertSession,
  posterOfWallet,
  type PosterRow,
  useChallenge,
} from './session-queries.ts';
import { sessionView } from './session-view.ts';
import { findSuspension } from './suspension-queries.ts';
import type { PublicCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof sessionOperations.createSession;
type Body = Input<Operation>['body'];

// Enough for all browsers and machines of a poster. A client that creates more sessions is probably a loop.
const MAX_SESSIONS_PER_POSTER = 20;

const CHALLENGE_PATH = '/posters/session/challenge';

/**
 * Starts a session for a signed challenge or an API key. The token is always new, so a token that the client already
 * had never becomes a session.
 */
export async function createSession(
  ctx: Context<PublicCaller>,
  { body }: Input<Operation>,
): Promise<SessionStarted<Output<Operation>>> {
  return body.api_key === undefined ? await byWallet(ctx, body) : await byKey(ctx, body.api_key);
}

async function byKey(ctx: Context<PublicCaller>, text: string): Promise<SessionStarted<Output<Operation>>> {
  const key = parseKey(text);
  const stored =
    key?.prefix === keyPrefix('poster', ctx.network.testnet) ? await findPosterOfKey(ctx.db, key.id) : null;
  const isOver = stored?.expiresAt && stored.expiresAt <= ctx.clock.now();
  const poster =
    key && stored && !isOver && sameHash(stored.secretHash, key.secretHash)
      ? await findPoster(ctx.db, stored.caller.posterId)
      : null;
  if (!key || !stored || !poster) throw new DomainError('INVALID_API_KEY', 'Invalid API key');
  const { scope } = stored.caller;
  return await withTransaction(ctx.db, (tx) => start(ctx, tx, { poster, keyId: key.id, scope }));
}

async function byWallet(ctx: Context<PublicCaller>, body: Body): Promise<SessionStarted<Output<Operation>>> {
  const { address, nonce, expiresAt } = await requireSignedChallenge(ctx, {
    message: body.message ?? '',
    signature: body.signature ?? '0x',
    find: (given) => findChallenge(ctx.db, given),
    path: CHALLENGE_PATH,
  });
  // After the signature: it must have cost the caller a wallet. Before the transaction: processes may share the limit.
  if ((await findPosterOfWallet(ctx.db, address)) === null) await ctx.countRegistration?.();
  return await withTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    if (now >= expiresAt || !(await useChallenge(tx, nonce))) throw unknownChallenge(CHALLENGE_PATH);
    const { termsVersion } = ctx.config.legal;
    const name = body.poster_name ?? `${address.slice(0, 6)}…${address.slice(-4)}`;
    const poster = await posterOfWallet(tx, { id: ctx.newId(), name, address, termsVersion, now });
    return await start(ctx, tx, { poster, keyId: null, scope: 'full' });
  });
}

async function start(
  ctx: Context<PublicCaller>,
  tx: Tx,
  { poster, keyId, scope }: { poster: PosterRow; keyId: string | null; scope: PosterScope },
): Promise<SessionStarted<Output<Operation>>> {
  const createdAt = ctx.clock.now();
  const expiresAt = sessionEnd({ createdAt, now: createdAt });
  const { key, id, secretHash } = issueKey(keyPrefix('session', ctx.network.testnet), ctx.randomBytes);
  const session = { id, posterId: poster.id, keyId, secretHash, createdAt, expiresAt };
  await insertSession(tx, session, MAX_SESSIONS_PER_POSTER);
  const suspension = await findSuspension(tx, poster.id, { forShare: false });
  const data = { message: 'Signed in.', ...sessionView({ poster, scope, session, suspension }) };
  return new SessionStarted(data, { kind: 'poster', token: key, maxAgeSeconds: SESSION_SECONDS });
}
