import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { PosterScope } from '../../contract/basics/scope.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { requireKey, requireSignedChallenge, startSession, useChallenge } from '../keys/public.ts';
import { SessionStarted } from '../serve.ts';
import { findPoster, findPosterOfWallet, posterOfWallet, type PosterRow } from './session-queries.ts';
import { sessionView } from './session-view.ts';
import { findSuspension } from './suspension-queries.ts';
import type { PublicCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof sessionOperations.createSession;
type Body = Input<Operation>['body'];

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
  const { id: keyId, accountId, scope } = await requireKey(ctx, 'poster', text);
  const poster = await findPoster(ctx.db, accountId);
  if (!poster) throw new DomainError('INVALID_API_KEY', 'Invalid API key');
  return await withTransaction(ctx.db, (tx) => start(ctx, tx, { poster, keyId, scope: scope as PosterScope }));
}

async function byWallet(
  ctx: Context<PublicCaller>,
  { message = '', signature = '0x', poster_name: given }: Body,
): Promise<SessionStarted<Output<Operation>>> {
  const challenge = await requireSignedChallenge(ctx, { purpose: 'poster', message, signature });
  const { address } = challenge;
  // After the signature: it must have cost the caller a wallet. Before the transaction: processes may share the limit.
  if ((await findPosterOfWallet(ctx.db, address)) === null) await ctx.countRegistration?.();
  return await withTransaction(ctx.db, async (tx) => {
    await useChallenge(ctx, tx, 'poster', challenge);
    const { termsVersion } = ctx.config.legal;
    const name = given ?? `${address.slice(0, 6)}…${address.slice(-4)}`;
    const poster = await posterOfWallet(tx, { id: ctx.newId(), name, address, termsVersion, now: ctx.clock.now() });
    return await start(ctx, tx, { poster, keyId: null, scope: 'full' });
  });
}

async function start(
  ctx: Context<PublicCaller>,
  tx: Tx,
  { poster, keyId, scope }: { poster: PosterRow; keyId: string | null; scope: PosterScope },
): Promise<SessionStarted<Output<Operation>>> {
  const wallet = keyId === null ? poster.walletAddress : null;
  const { session, started } = await startSession(ctx, tx, { kind: 'poster', accountId: poster.id, keyId, wallet });
  const suspension = await findSuspension(tx, poster.id, { forShare: false });
  return new SessionStarted({ message: 'Signed in.', ...sessionView({ poster, scope, session, suspension }) }, started);
}
