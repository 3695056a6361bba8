import { randomUUIDv7 } from 'node:crypto';
import { type Answer, newPayer, type Payer, signPayment } from '../../test/support/clients/client.ts';
import { requestUpload } from '../../test/support/clients/journey.ts';
import type { Child } from '../child.ts';
import type { Load, LoadResult } from '../load-generator.ts';
import { DIFFERENT, differentSearch } from '../reads.ts';
import { READERS } from '../tools.ts';
import type { Fleet, ScaleWorld } from './world.ts';

/** The concurrent requests of all processes together. */
const CONCURRENCY = 32;
const FEES_MICRO = 1_000_000_000;

/** Searches without a cached answer, on all processes. Returns the searches per second. */
export async function searches(
  world: ScaleWorld,
  fleet: Fleet,
  generators: Child[],
  { durationMs, from }: { durationMs: number; from: number },
): Promise<number> {
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
      };
      return (await generators[index]!.ask<LoadResult>(load)).perSecond;
    }),
  );
  return results.reduce((sum, each) => sum + each, 0);
}

type ReadyPayment = () => Promise<void>;

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
        const answer = await ask(headers);
        if (answer.status !== 200) throw new Error(`a payment: ${answer.status} ${JSON.stringify(answer.body)}`);
      };
    }),
  );
}

/** Sends the payments, as many at once as there are searches. Returns the paid uploads per second. */
export async function pay(payments: ReadyPayment[]): Promise<number> {
  const waiting = [...payments];
  const startedAt = performance.now();
  const sender = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return payments.length / ((performance.now() - startedAt) / 1000);
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
