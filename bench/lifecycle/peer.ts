import { randomUUIDv7 } from 'node:crypto';
import pino from 'pino';
import type { Config } from '../../server/config.ts';
import { createPool } from '../../server/db/pool.ts';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { answerParent } from '../child.ts';

// Runs only the project timers of one service process, for every project that is due.

export type LifecycleResult = { moved: number; startedAt: number; endedAt: number };

const { url, connections } = JSON.parse(process.argv[2] ?? '{}') as { url: string; connections: number };
const deps = {
  db: createPool({ url, connections }),
  clock: { now: () => new Date() },
  newId: () => randomUUIDv7(),
  log: pino({ level: 'error' }, pino.destination(2)),
  config: { confirmGraceSeconds: 30 } as Config,
  comparison: { made: async () => true, make: async () => true, isOf: () => true },
};

answerParent(async (question: 'connect' | 'advance'): Promise<LifecycleResult> => {
  // Open the connections before the deadline comes.
  if (question === 'connect')
    await Promise.all(Array.from({ length: connections }, () => deps.db`select pg_sleep(0.1)`));
  const startedAt = Date.now();
  const moved = question === 'advance' ? await advanceProjects(deps) : 0;
  return { moved, startedAt, endedAt: Date.now() };
});
