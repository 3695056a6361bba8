import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterKeyOperations } from '../../contract/poster-keys.ts';
import type { Context } from '../deps.ts';
import type { PosterCaller } from '../ports/callers.ts';
import { listKeysOf } from './key-queries.ts';

type Operation = typeof posterKeyOperations.listPosterKeys;

// Revoked keys stay stored. A poster that replaces its key each day would otherwise get a longer list every day.
const ENDED_KEYS_SHOWN = 20;

/** Lists the poster's own keys, newest first. */
export async function listKeys(ctx: Context<PosterCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const { posterId, keyId } = ctx.caller;
  const keys = await listKeysOf(ctx.db, { posterId, ended: ENDED_KEYS_SHOWN });
  const now = ctx.clock.now();
  // This request counts as a use. The table stores it some seconds later.
  return {
    keys: keys.map((key) =>
      key.id === keyId ? { ...key, lastUsedAt: now, current: true } : { ...key, current: false },
    ),
  };
}
