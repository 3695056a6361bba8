import { withTransaction } from '../../db/public.ts';
import { FanOutShard } from './fan-out-shard.ts';
import { claimFanOut, PART_LEASE_MS } from './sender-queries.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ShardGroup } from './shards.ts';

/** Parts whose deliveries are all started and that wait only for responses. */
const MAX_FINISHING = 16;

/** Sends the shards of fan-outs, one after another. The next shard begins once all deliveries of one are started. */
export class FanOutLane {
  readonly #parts: SharedParts;
  readonly #finishing = new Set<Promise<void>>();

  constructor(parts: SharedParts) {
    this.#parts = parts;
  }

  /** Sends the shards of the group that are due, until none is left. */
  async run(group: ShardGroup): Promise<void> {
    const { limits } = this.#parts;
    if (group === 'priority') limits.priorityFirst = true;
    try {
      while (await this.#sendNext(group));
    } finally {
      if (group === 'priority') limits.priorityFirst = false;
      limits.notify();
    }
  }

  /** Returns false when no shard is due. */
  async #sendNext(group: ShardGroup): Promise<boolean> {
    const { deps, background, stopping } = this.#parts;
    if (this.#finishing.size >= MAX_FINISHING) await Promise.race(this.#finishing);
    const now = deps.clock.now();
    const token = deps.newId();
    const lease = { token, now, until: new Date(now.getTime() + PART_LEASE_MS) };
    const claimed = await withTransaction(deps.db, (tx) => claimFanOut(tx, lease, group));
    if (!claimed) return false;
    const shard = new FanOutShard(this.#parts, claimed, token);
    const finishing: Promise<void> = shard.run().finally(() => this.#finishing.delete(finishing));
    this.#finishing.add(finishing);
    background.add(finishing);
    await shard.started;
    return !stopping.aborted;
  }
}
