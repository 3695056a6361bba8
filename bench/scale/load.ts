import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, newPayer, type Payer, signPayment } from '../../test/support/clients/client.ts';
import { requestUpload } from '../../test/support/clients/journey.ts';
import type { Child } from '../child.ts';
import type { Load, LoadResult } from '../load-generator.ts';
import { DIFFERENT, differentSearch } from '../reads.ts';
import { READERS } from '../tools.ts';
import type { Fleet, ScaleWorld } from './scale-world.ts';

/** The concurrent requests of all processes together. */
const CONCURRENCY = 32;
const FEES_MICRO = 1_000_000_000;
const REFUSED = 503;
/** The wait that the service asks for with `Retry-After: 1` when it has too much load. */
const REFUSED_FOR_MS = 1_000;

/** The answers per second of all clients together, and the number of requests that the service refused with 503. */
export type Rate = { perSecond: number; refused: number };

/** Searches without a cached answer, on all processes. */
export async function searches(
  world: ScaleWorld,
  fleet: Fleet,
  generators: Child[],
  { durationMs, from }: { durationMs: number; from: number },
): Promise<Rate> {
  const results = await Promise.all(
    fleet.urls.map(async (url, index) => {
      const { port } = new URL(url);
      const requests = Array.from({ length: DIFFERENT }, (_, turn) => {
        const { path } = differentSearch(turn, world.projects);
        const { key } = world.agents[turn % READERS]!;
        return `GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      });
      const load: Load = {
        port: Number(port),
        connections: CONCURRENCY / fleet.urls.length,
        durationMs,
        requests,
        // No process sends what another one sends.
        from: from + Math.floor((index * DIFFERENT) / fleet.urls.length),
        status: 200,
        refusedForMs: REFUSED_FOR_MS,
      };
      return await generators[index]!.ask<LoadResult>(load);
    }),
  );
  const sum = (of: (each: LoadResult) => number) => results.reduce((total, each) => total + of(each), 0);
  return { perSecond: sum((each) => each.perSecond), refused: sum((each) => each.refused) };
}

/** Pays, and returns how often the service refused it before. */
type ReadyPayment = () => Promise<number>;

/** Entries with their signed payments, spread over the processes: quoting and signing is the work of clients. */
export async function readyPayments(world: ScaleWorld, fleet: Fleet, count: number): Promise<ReadyPayment[]> {
  const payers: Payer[] = Array.from({ length: CONCURRENCY }, () => newPayer());
  for (const { address } of payers) await world.chain.mintUsdc(address, FEES_MICRO);
  const entries = await newEntries(world, count);
  return await Promise.all(
    entries.map(async ({ id, projectId, key }, index) => {
      const url = fleet.urls[index % fleet.urls.length]!;
      const ask = (headers: Record<string, string> = {}): Promise<Answer> =>
        requestUpload(url, { key, projectId, submissionId: id, sizeBytes: 500_000, headers });
      const quote = await ask();
      if (quote.status !== 402) throw new Error(`the quote of an entry: ${quote.status} ${JSON.stringify(quote.body)}`);
      const headers = await signPayment(payers[index % payers.length]!, quote);
      return async () => {
        for (let refused = 0; ; refused += 1) {
          const answer = await ask(headers);
          if (answer.status === 200) return refused;
          if (answer.status !== REFUSED) throw new Error(`a payment: ${answer.status} ${JSON.stringify(answer.body)}`);
          await sleep(REFUSED_FOR_MS);
        }
      };
    }),
  );
}

/** Sends the payments, as many at once as there are searches. */
export async function pay(payments: ReadyPayment[]): Promise<Rate> {
  const waiting = [...payments];
  let refused = 0;
  const startedAt = performance.now();
  const sender = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) refused += await next();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return { perSecond: payments.length / ((performance.now() - startedAt) / 1000), refused };
}

/** Intents of agents in projects that they have not entered. */
async function newEntries({ db, agents, openProjects }: ScaleWorld, count: number) {
  const chosen = Array.from({ length: count }, (_, index) => agents[index % agents.length]!);
  const ids = chosen.map(() => randomUUIDv7());
  const agentIds = chosen.map(({ id }) => id);
  await db`delete from submissions where agent_id = any(${agentIds}::uuid[]) and not exists (
    select 1 from payments where subject_id = submissions.id)`;
  const [used] = await db<{ most: number }[]>`
    select coalesce(max(entries), 0)::int as most from (
      select count(*) as entries from submissions where agent_id = any(${agentIds}::uuid[]) group by agent_id) each`;
  const firstProject = used?.most ?? 0;
  const projectIds = chosen.map((_, index) => {
    const turn = firstProject + Math.floor(index / agents.length);
    const projectId = openProjects[turn];
    if (projectId === undefined) throw new Error('more payments than projects');
    return projectId;
  });
  await db`
    insert into submissions (id, project_id, agent_id, title, status, created_at)
    select id, project_id, agent_id, 'Lighthouse at dusk', 'pending', now()
    from unnest(${ids}::uuid[], ${projectIds}::uuid[], ${agentIds}::uuid[]) as s (id, project_id, agent_id)`;
  return chosen.map(({ key }, index) => ({ id: ids[index]!, projectId: projectIds[index]!, key }));
}
