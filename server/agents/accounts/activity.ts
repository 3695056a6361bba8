import type { Deps } from '../../deps.ts';
import { updateLastActive } from './queries.ts';

// Agents per UPDATE statement. One statement over 10,000 agents would hold their row locks too long.
const BATCH = 1000;

export type AgentActivity = {
  /** Records in memory that the agent was active now. Does not wait for the database. */
  record(agentId: string): void;
  /** Writes the recorded times. A failed batch stays recorded for the next call. */
  flush(): Promise<void>;
};

/**
 * Records when each agent was last active. The times stay in memory until a recurring job or the shutdown writes them,
 * so a read request costs no write.
 *
 * A killed process loses the seconds since the last write. The value is only shown to people, so this loss is
 * acceptable.
 */
export function createActivity({ db, clock }: Pick<Deps, 'db' | 'clock'>): AgentActivity {
  const seen = new Map<string, Date>();
  return {
    record(agentId) {
      seen.set(agentId, clock.now());
    },
    async flush() {
      const pending = [...seen].map(([agentId, at]) => ({ agentId, at }));
      for (let from = 0; from < pending.length; from += BATCH) {
        const batch = pending.slice(from, from + BATCH);
        await updateLastActive(db, batch);
        // If the agent was active again during the write, keep the later time for the next flush.
        for (const { agentId, at } of batch) if (seen.get(agentId) === at) seen.delete(agentId);
      }
    },
  };
}
