import type { Deps } from '../../deps.ts';
import { createUseTimes, updateLastUsed } from '../../keys/public.ts';
import type { AgentCaller } from '../../callers.ts';
import { updateLastActive } from './queries.ts';

export type AgentActivity = {
  /** Records in memory that the agent used its key now. Does not wait for the database. */
  record(caller: Pick<AgentCaller, 'agentId' | 'keyId'>): void;
  /** Writes the recorded times. A failed batch stays recorded for the next call. */
  flush(): Promise<void>;
};

/** Records when each agent was last active, and when each key was last used. */
export function createActivity({ db, clock }: Pick<Deps, 'db' | 'clock'>): AgentActivity {
  const agents = createUseTimes(clock, (seen) => updateLastActive(db, seen));
  const keys = createUseTimes(clock, (used) => updateLastUsed(db, used));
  return {
    record({ agentId, keyId }) {
      agents.record(agentId);
      if (keyId !== null) keys.record(keyId);
    },
    async flush() {
      await agents.flush();
      await keys.flush();
    },
  };
}
