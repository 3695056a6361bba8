import type { Deps } from '../../deps.ts';
import { updateLastActive } from './queries.ts';

// What one statement takes: the rows of 10,000 agents would be held too long.
const BATCH = 1000;

export type AgentActivity = {
  /** Remembers that the agent was there now; never waits. */
  record(agentId: string): void;
  /** Writes what is remembered; what could not be written is kept for the next time. */
  flush(): Promise<void>;
};

/**
 * When agents were last active: kept in memory and written by a recurring job and at shutdown, so that reading costs
 * no write. A killed process loses the seconds since, which is all that a figure for people to read is worth.
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
        // Seen again meanwhile: that later time is still to be written.
        for (const { agentId, at } of batch) if (seen.get(agentId) === at) seen.delete(agentId);
      }
    },
  };
}
