import type { Input, Output } from '../../contract/basics/operation.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { posterKeyOperations } from '../../contract/poster-keys.ts';
import type { Context } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { issueKey, keyPrefix } from '../keys/public.ts';
import type { PosterCaller } from '../ports/callers.ts';
import { countLastingKeys, insertKey, lockPoster } from './key-queries.ts';

type Operation = typeof posterKeyOperations.createPosterKey;

const MAX_LASTING_KEYS = 20;

/** Creates a further key. Only a caller of scope `full` gets here, so no key creates one that may do more. */
export async function createKey(ctx: Context<PosterCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  const { name, scope } = body;
  const { key, id, secretHash } = issueKey(keyPrefix('poster', ctx.network.testnet), ctx.randomBytes);
  return await runIdempotent(ctx, async (tx) => {
    await lockPoster(tx, posterId);
    if ((await countLastingKeys(tx, posterId)) >= MAX_LASTING_KEYS) throw tooManyKeys();
    const now = ctx.clock.now();
    await insertKey(tx, { id, posterId, name, scope, secretHash, now });
    const data = { key_id: id, name, scope };
    await recordEvents(ctx, tx, now, [{ poster: posterId, type: 'KEY.CREATED', data }]);
    return {
      message: 'Key created. Store the API key now: it is shown only once.',
      keyId: id,
      apiKey: key,
      name,
      scope,
    };
  });
}

function tooManyKeys(): DomainError {
  return new DomainError(
    'KEY_LIMIT_REACHED',
    `A poster has at most ${MAX_LASTING_KEYS} keys without an end. Revoke one that is no longer used.`,
  );
}
