import type { Deps } from '../../deps.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { updateLastUsed } from './key-queries.ts';
import { updateLastActive } from './queries.ts';

// Rows per UPDATE statement. One statement over 10,000 rows would hold their locks too long.
const BATCH = 1000;

export type AgentActivity = {
  /** Records in memory that the agent used its key now. Does not wait for the database. */
  record(caller: Pick<AgentCaller, 'agentId' | 'keyId'>): void;
  /** Writes the recorded times. A failed batch stays recorded for the next call. */
  flush(): Promise<void>;
};

/**
 * Records when each agent was last active, and when each key was last used. The times stay in memory until a recurring job
 * or the shutdown writes them, so a read request costs no write.
 *
 * A killed process loses the seconds since the last write. The values are only shown to people, so this loss is
 * acceptable.
 */
export function createActivity({ db, clock }: Pick<Deps, 'db' | 'clock'>): AgentActivity {
  const agents = new Map<string, Date>();
  const keys = new Map<string, Date>();
  return {
    record({ agentId, keyId }) {
      const now = clock.now();
      agents.set(agentId, now);
      if (keyId !== null) keys.set(keyId, now);
    },
    async flush() {
      await flushTimes(agents, (seen) =>
        updateLastActive(
          db,
          seen.map(([agentId, at]) => ({ agentId, at })),
        ),
      );
      await flushTimes(keys, (used) =>
        updateLastUsed(
          db,
          used.map(([id, at]) => ({ id, at })),
        ),
      );
    },
  };
}

type Seen = [id: string, at: Date][];

async function flushTimes(times: Map<string, Date>, write: (batch: Seen) => Promise<void>): Promise<void> {
  const pending = [...times];
  for (let from = 0; from < pending.length; from += BATCH) {
    const batch = pending.slice(from, from + BATCH);
    await write(batch);
    // If the id was seen again during the write, keep the later time for the next flush.
    for (const [id, at] of batch) if (times.get(id) === at) times.delete(id);
  }
}
