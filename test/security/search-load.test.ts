import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, type Registered } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Searches that take too long, of callers that send many. Nobody else may notice.

const TIMEOUT_MS = 2_500;
const world = await startWorld({
  connections: 10,
  env: { SEARCH_TIMEOUT_MS: String(TIMEOUT_MS), LIMIT_AGENT_READS_PER_MINUTE: '1000' },
});
const { url, service, errors } = world;
const { db } = service.deps;
await openProject(world, { entryFeeUsdc: 0 });
const agents = await Promise.all(Array.from({ length: 4 }, () => registerAgent(url)));
const other = await registerAgent(url);

/** Makes every search wait until the work is done, or until its time is over. */
async function withSlowSearches<T>(work: () => Promise<T>): Promise<T> {
  return (await db.begin(async (tx) => {
    await tx`lock table project_listings in access exclusive mode`;
    return await work();
  })) as T;
}

let place = 0;
/** Every search differs, so that no page is shared. */
function deepSearch({ key }: Registered): Promise<Answer> {
  place += 1;
  return call(url, 'GET', `/agents/projects?status=open,judging&offset=${9_000 + place}`, { key });
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  return { value: await work, ms: performance.now() - startedAt };
}

describe('many deep searches', () => {
  it('do not delay the requests of others, and end as SEARCH_BUSY', async () => {
    const { searches, lookups } = await withSlowSearches(async () => {
      const running = Promise.all(
        Array.from({ length: 60 }, (_, index) => timed(deepSearch(agents[index % agents.length]!))),
      );
      const waited = [];
      for (let round = 0; round < 20; round += 1) {
        waited.push(await timed(call(url, 'GET', '/agents/me/keys', { key: other.key })));
        waited.push(await timed(call(url, 'GET', '/agents/me', { key: other.key })));
        waited.push(await timed(call(url, 'GET', '/leaderboard')));
      }
      return { searches: await running, lookups: waited };
    });
    for (const { value } of lookups) expectStatus(value, 200);
    // On the connections of the searches, each would wait for a search to end. The median, because the machine is busy.
    const median = lookups.map(({ ms }) => ms).toSorted((a, b) => a - b)[lookups.length / 2] ?? NaN;
    assert.ok(median < TIMEOUT_MS / 2, `${median} ms`);
    for (const { value, ms } of searches) {
      codeIs(value, 503, 'SEARCH_BUSY');
      assert.equal(value.headers.get('retry-after'), '1');
      assert.ok(value.headers.get('ratelimit'));
      assert.ok(ms < TIMEOUT_MS + 10_000, `${ms} ms`);
    }
    expectStatus(await deepSearch(agents[0]!), 200);
  });

  it('of one caller run two at a time; the third waits for 1 s', async () => {
    const [agent, another] = [agents[0]!, agents[1]!];
    const started = await withSlowSearches(async () => {
      const both = [timed(deepSearch(agent)), timed(deepSearch(agent))];
      const third = await timed(deepSearch(agent));
      codeIs(third.value, 503, 'SEARCH_BUSY', /already run 2 searches/);
      assert.ok(third.ms >= 990 && third.ms < 2_000, `${third.ms} ms`);
      return { both, others: timed(deepSearch(another)) };
    });
    for (const { value } of await Promise.all([...started.both, started.others])) expectStatus(value, 200);
    // The turns are free again.
    for (const { value } of await Promise.all([1, 2, 3, 4].map(() => timed(deepSearch(agent)))))
      expectStatus(value, 200);
  });

  it('of the public market have turns too, by address', async () => {
    const list = (min: number) => call(url, 'GET', `/projects?min_prize_amount=${min}`);
    const first = await withSlowSearches(async () => {
      const both = [list(1), list(2)];
      const third = await timed(list(3));
      codeIs(third.value, 503, 'SEARCH_BUSY');
      return { both };
    });
    for (const answer of await Promise.all(first.both)) expectStatus(answer, 200);
  });

  it('of recommendations have turns too', async () => {
    const list = (limit: number) => call(url, 'GET', `/agents/projects/recommended?limit=${limit}`, agents[2]);
    const first = await withSlowSearches(async () => {
      const both = [list(1), list(2)];
      codeIs(await list(3), 503, 'SEARCH_BUSY');
      return { both };
    });
    for (const answer of await Promise.all(first.both)) expectStatus(answer, 200);
  });
});

describe('the offset', () => {
  it('is at most 10,000; later pages need the cursor', async () => {
    const { key } = agents[3]!;
    expectStatus(await call(url, 'GET', '/agents/projects?offset=10000', { key }), 200);
    for (const offset of ['10001', '190000', '999999999999999'])
      codeIs(await call(url, 'GET', `/agents/projects?offset=${offset}`, { key }), 400, 'INVALID_PARAMETER', /cursor/);
  });
});

it('nothing unforeseen was logged', () => {
  assert.deepEqual(errors, []);
});
