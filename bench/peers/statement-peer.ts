import { randomUUIDv7 } from 'node:crypto';
import { createPool } from '../../server/db/pool.ts';
import { withTransaction } from '../../server/db/transaction.ts';
import { lockAgent } from '../../server/agents/accounts/queries.ts';
import { lockEntryProject } from '../../server/projects/queries.ts';
import { type Search, searchStatement } from '../../server/projects/search/search-queries.ts';
import { countIntentsSince, insertIntent } from '../../server/entries/queries.ts';
import { answerParent } from '../child.ts';

// Runs only the service's own statements: no HTTP, no key check, no contract. It has the same concurrency and the same
// number of connections as the service.

export type StatementRun =
  | { kind: 'search'; searches: Search[] }
  | { kind: 'intent'; pairs: { agentId: string; projectId: string }[] };

export type StatementLoad = { run: StatementRun; concurrency: number; durationMs: number; from: number };
export type StatementResult = { perSecond: number; next: number };

const { url, connections } = JSON.parse(process.argv[2] ?? '{}') as { url: string; connections: number };
const db = createPool({ url, connections });

answerParent(async ({ run, concurrency, durationMs, from }: StatementLoad): Promise<StatementResult> => {
  const work = workOf(run);
  let next = from;
  let done = 0;
  const startedAt = performance.now();
  const endAt = startedAt + durationMs;
  const loop = async () => {
    while (performance.now() < endAt) {
      const index = next;
      next += 1;
      await work(index);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { perSecond: (done / (performance.now() - startedAt)) * 1000, next };
});

function workOf(run: StatementRun): (index: number) => Promise<unknown> {
  if (run.kind === 'search') {
    const statements = run.searches.map(searchStatement);
    return async (index) => {
      const { text, values } = statements[index % statements.length]!;
      return await db.unsafe(text, values);
    };
  }
  return async (index) => await enter(run.pairs[index]!);
}

/** Makes the same round trips as the service. */
async function enter({ agentId, projectId }: { agentId: string; projectId: string }): Promise<void> {
  const now = new Date();
  await withTransaction(db, async (tx) => {
    await Promise.all([lockEntryProject(tx, projectId, 'share'), lockAgent(tx, agentId)]);
    const intent = { id: randomUUIDv7(), projectId, agentId, title: 'Lighthouse at dusk', description: null, now };
    await Promise.all([insertIntent(tx, intent), countIntentsSince(tx, agentId, new Date(now.getTime() - 3_600_000))]);
  });
}
