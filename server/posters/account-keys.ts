import type { Input, Output } from '../../contract/basics/operation.ts';
import type { PosterScope } from '../../contract/basics/scope.ts';
import type { posterKeyOperations } from '../../contract/poster-keys.ts';
import type { Context, Deps } from '../deps.ts';
import {
  createAccountKey,
  createKeyCache,
  findKeys,
  keyPrefix,
  type KeyRow,
  listAccountKeys,
  recordKeyUse,
  revokeAccountKey,
} from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';
import type { KnownKeys } from '../keys/types.ts';
import { lockPoster } from './queries.ts';

type Ctx = Context<PosterCaller>;
type Operations = typeof posterKeyOperations;

const accountOf = ({ caller }: Ctx) => ({ kind: 'poster', id: caller.posterId }) as const;

/** Creates a further key. Only a caller of scope `full` gets here, so no key creates one that may do more. */
export async function createKey(
  ctx: Ctx,
  { body: { name, scope } }: Input<Operations['createPosterKey']>,
): Promise<Output<Operations['createPosterKey']>> {
  const lock = async (tx: Parameters<typeof lockPoster>[0]) => await lockPoster(tx, ctx.caller.posterId);
  return await createAccountKey(ctx, accountOf(ctx), { name, scope, lock });
}

export async function listKeys(ctx: Ctx): Promise<Output<Operations['listPosterKeys']>> {
  const keys = await listAccountKeys(ctx, accountOf(ctx), ctx.caller.keyId);
  return { keys: keys as Output<Operations['listPosterKeys']>['keys'] };
}

export async function revokeKey(
  ctx: Ctx,
  { params }: Input<Operations['revokePosterKey']>,
): Promise<Output<Operations['revokePosterKey']>> {
  return await revokeAccountKey(ctx, accountOf(ctx), params.key_id);
}

/** Returns the caller of a poster's key. */
export function posterOf({ id: keyId, accountId: posterId, scope }: KeyRow): PosterCaller {
  return { kind: 'poster', posterId, keyId, scope: scope as PosterScope };
}

export type PosterAuthenticator = KnownKeys & {
  /**
   * Finds the poster that owns this API key. Returns null if the key is malformed, unknown, wrong, revoked, or of
   * another network.
   */
  authenticate(text: string): Promise<PosterCaller | null>;
};

/** Creates the authenticator; a process needs one. A database failure is thrown. */
export function createPosterAuthenticator({
  db,
  clock,
  network,
}: Pick<Deps, 'db' | 'clock' | 'network'>): PosterAuthenticator {
  const prefix = keyPrefix('poster', network.testnet);
  const cache = createKeyCache({ clock, prefix }, async (keyId) => {
    const [key] = await findKeys(db, 'poster', [keyId]);
    return key ? { secretHash: key.secretHash, expiresAt: key.expiresAt, caller: posterOf(key) } : null;
  });
  return {
    async authenticate(text) {
      const caller = await cache.find(text);
      if (caller?.keyId) recordKeyUse(db, caller.keyId, clock.now());
      return caller;
    },
    forget: (keyId) => cache.forget(keyId),
  };
}
