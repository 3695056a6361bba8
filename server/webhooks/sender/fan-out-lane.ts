import { withTransaction } from '../../db/public.ts';
import { FanOutPart } from './fan-out-part.ts';
import { claimFanOut, PART_LEASE_MS } from './sender-queries.ts';
import type { SharedParts } from './shared-parts.ts';
import type { PartGroup } from './shards.ts';

/** Parts whose deliveries are all started and that wait only for responses. */
const MAX_FINISHING = 16;

/** Sends the parts of fan-outs, one after another. The next part begins once all deliveries of one are started. */
export class FanOutLane {
  readonly #parts: SharedParts;
  readonly #finishing = new Set<Promise<void>>();

  constructor(parts: SharedParts) {
    this.#parts = parts;
  }

  /** Sends the parts of the group that are due, until none is left. */
  async run(group: PartGroup): Promise<void> {
    const { limits } = this.#parts;
    if (group === 'priority') limits.priorityFirst = true;
    try {
      while (await this.#sendNext(group));
    } finally {
      if (group === 'priority') limits.priorityFirst = false;
      limits.notify();
    }
  }

  /** Returns false when no part is due. */
  async #sendNext(group: PartGroup): Promise<boolean> {
    const { deps, background, stopping } = this.#parts;
    if (this.#finishing.size >= MAX_FINISHING) await Promise.race(this.#finishing);
    const now = deps.clock.now();
    const token = deps.newId();
    const lease = { token, now, until: new Date(now.getTime() + PART_LEASE_MS) };
    const claimed = await withTransaction(deps.db, (tx) => claimFanOut(tx, lease, group));
    if (!claimed) return false;
    const part = new FanOutPart(this.#parts, claimed, token);
    const finishing: Promise<void> = part.run().finally(() => this.#finishing.delete(finishing));
    this.#finishing.add(finishing);
    background.add(finishing);
    await part.started;
    return !stopping.aborted;
  }
}
