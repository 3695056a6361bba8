import type { ReadPools, Replicas } from './ports/database.ts';

/**
 * Runs a read that a replica may answer, with the pools of the replica or of the primary in `ctx`. For searches, details, the
 * market, leaderboards, and galleries; never for keys, limits, or money. `read` changes nothing, because it may run twice.
 */
export async function readAnywhere<Ctx extends ReadPools & { replicas: Replicas | null }, T>(
  ctx: Ctx,
  read: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (!ctx.replicas) return await read(ctx);
  return await ctx.replicas.read(
    (pools) => read({ ...ctx, ...pools }),
    () => read(ctx),
  );
}

/** The same for a whole verb. */
export function anywhere<Ctx extends ReadPools & { replicas: Replicas | null }, Input, T>(
  verb: (ctx: Ctx, input: Input) => Promise<T>,
): (ctx: Ctx, input: Input) => Promise<T> {
  return async (ctx, input) => await readAnywhere(ctx, (from) => verb(from, input));
}
