import { randomUUIDv7 } from 'node:crypto';
import { type AgentAuthenticator, createAgentAuthenticator } from '../server/agents/accounts/authenticate.ts';
import { lockActiveAgent } from '../server/agents/standing/standing-now.ts';
import { networks } from '../server/chain/networks.ts';
import { createPool } from '../server/db/pool.ts';
import { withTransaction } from '../server/db/transaction.ts';
import { countIntentsSince, insertIntent, listOpenIntents } from '../server/entries/queries.ts';
import { activeSince, startOfUtcDay } from '../server/entries/state.ts';
import { usedQuota } from '../server/entries/used-quota.ts';
import { lockForEntry } from '../server/projects/queries.ts';
import { type Search, searchStatement } from '../server/projects/search/search-queries.ts';
import { findLatestTerms } from '../server/projects/terms/terms-queries.ts';
import type { Db } from '../server/db/database.ts';
import { httpLoad, interleaved, type Tools, workLoad } from './measure.ts';
import { type Row, rowsBeside } from './report.ts';
import { type BenchWorld, DATABASE_CONNECTIONS } from './world.ts';

const DIFFERENT = 20_000;
/** The number of agents that read in turn. */
const READERS = 100;
const STATEMENTS = 'the same statements raw';
const ENTRY = { title: 'Lighthouse at dusk', description: 'Calm water, one boat, the lamp just lit.' };
const perSecond = (value: number) => `${Math.round(value)}/s`;

function requestOf({ service }: BenchWorld, method: string, path: string, key: string): string {
  return `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nAuthorization: Bearer ${key}\r\n`;
}

/** Starts a plain server that sends the same head and bytes as the service's answer to a search. */
async function bareServer(world: BenchWorld, path: string): Promise<{ port: number; size: string }> {
  const authorization = `Bearer ${world.agents[0]!.key}`;
  const response = await fetch(`${world.service.url}/api/v1${path}`, { headers: { authorization } });
  const body = new Uint8Array(await response.arrayBuffer());
  const own = new Set(['connection', 'date', 'keep-alive']);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const { port } = await world.startPeer('http-peer.ts', {}).ask<{ port: number }>({ status: 200, headers, body });
  return { port, size: `${(body.byteLength / 1024).toFixed(1)} KB` };
}

/** Measures one search that many agents send in the same second. */
export async function measureCachedSearch(tools: Tools): Promise<Row[]> {
  const { world } = tools;
  const path = '/agents/projects?status=open&limit=20';
  const bare = await bareServer(world, path);
  const requests = world.agents.slice(0, READERS).map(({ key }) => `${requestOf(world, 'GET', path, key)}\r\n`);
  const values = await interleaved(tools.rounds, {
    ...serviceLoads(tools, requests),
    bareHttp: httpLoad(tools, { port: bare.port, requests }),
  });
  const bareHttp = { name: 'bare node:http, same bytes', aim: { atLeast: 0.5 } };
  return rowsBeside(`cached search, a page of 20, ${bare.size}`, values, { bareHttp }, perSecond);
}

/**
 * Measures searches without a cached answer: a third each by date, prize, and fee. Each search starts at a different
 * position.
 */
export async function measureUncachedSearch(tools: Tools): Promise<Row[]> {
  const { world } = tools;
  const kinds = Array.from({ length: DIFFERENT }, (_, index) => differentSearch(index, world.projects));
  const keyOf = (index: number) => world.agents[index % READERS]!.key;
  const requests = kinds.map(({ path }, index) => `${requestOf(world, 'GET', path, keyOf(index))}\r\n`);
  const raw = kinds.map(({ search }) => searchStatement(search));
  const db = createPool({ url: world.databaseUrl, connections: DATABASE_CONNECTIONS });
  const ask = async (index: number) => {
    const { text, values } = raw[index % raw.length]!;
    return await db.unsafe(text, values);
  };
  const values = await interleaved(tools.rounds, {
    ...serviceLoads(tools, requests),
    statements: workLoad(tools.durationMs, ask),
  });
  await db.end();
  const statements = { name: STATEMENTS, aim: { atLeast: 0.6 } };
  return rowsBeside('uncached search, a page of 20', values, { statements }, perSecond);
}

type Loads = { status?: number; others?: string[] };

/** Sends requests to the service, and the same or `others` to that of another checkout, if there is one. */
function serviceLoads(tools: Tools, requests: string[], { status = 200, others = requests }: Loads = {}) {
  const { service, other } = tools.world;
  const load = (port: number, sent: string[]) => {
    const toPort = sent.map((request) => request.replace(`127.0.0.1:${service.port}`, `127.0.0.1:${port}`));
    return httpLoad(tools, { port, requests: toPort, status });
  };
  return { service: load(service.port, requests), ...(other ? { other: load(other.port, others) } : {}) };
}

/** Returns the request and the search that the service derives from it. */
function differentSearch(index: number, projects: number): { path: string; search: Search } {
  const search: Search = {
    specializations: [],
    statuses: null,
    visibleAt: new Date(),
    time: 'visible_at',
    order: 'visible_at',
    direction: 'asc',
    after: null,
    limit: 21,
    offset: 0,
  };
  // The step shares no factor with the size, so it visits every position once.
  const place = ((index * 7919) % projects) / projects;
  if (index % 3 === 0) {
    const createdAfter = new Date(Date.now() - Math.round(place * 360 * 86_400_000));
    const path = `/agents/projects?order_direction=asc&created_after=${createdAfter.toISOString()}`;
    return { path, search: { ...search, createdAfter } };
  }
  if (index % 3 === 1) {
    const minPrizeMicro = 10_000_000 + Math.round(place * 1_900_000_000);
    const path = `/agents/projects?order_by=prize_amount&order_direction=asc&min_prize_amount=${minPrizeMicro / 1e6}`;
    return { path, search: { ...search, order: 'prize_micro', minPrizeMicro } };
  }
  const maxFeeMicro = 200_000 + Math.round(place * 4_800_000);
  const path = `/agents/projects?order_by=entry_fee&max_entry_fee=${maxFeeMicro / 1e6}`;
  return { path, search: { ...search, order: 'entry_fee_micro', direction: 'desc', maxFeeMicro } };
}

/** Measures intents. Each request comes from another agent in another project, because an agent enters a project once. */
export async function measureIntents(tools: Tools): Promise<Row[]> {
  const { world } = tools;
  const { agents, openProjects } = world;
  // Each side has a third of the agents, and each agent stays below the daily quota of its tier.
  const share = Math.floor(agents.length / 3);
  const perAgent = 24;
  const intentsOf = (side: 0 | 1 | 2) =>
    Array.from({ length: share * perAgent }, (_, index) => {
      const place = side * share + (index % share);
      const turn = Math.floor(index / share);
      return { key: agents[place]!.key, projectId: openProjects[(place * 17 + turn) % openProjects.length]! };
    });
  const body = JSON.stringify(ENTRY);
  const rest = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const requestsOf = (side: 0 | 1) =>
    intentsOf(side).map(
      ({ projectId, key }) => requestOf(world, 'POST', `/agents/projects/${projectId}/intent`, key) + rest,
    );
  const raw = intentsOf(2);
  const db = createPool({ url: world.databaseUrl, connections: DATABASE_CONNECTIONS });
  const { authenticate } = createAgentAuthenticator({
    db,
    clock: { now: () => new Date() },
    network: networks['eip155:84532'],
  });
  const values = await interleaved(tools.rounds, {
    ...serviceLoads(tools, requestsOf(0), { status: 201, others: requestsOf(1) }),
    statements: workLoad(tools.durationMs, (index) => enter(db, authenticate, raw[index]!)),
  });
  await db.end();
  return rowsBeside('intent', values, { statements: { name: STATEMENTS, aim: { atLeast: 0.4 } } }, perSecond);
}

type RawIntent = { key: string; projectId: string };

/** Sends what the service sends for an intent, in the same round trips and by the same functions. It checks no rule. */
async function enter(db: Db, authenticate: AgentAuthenticator['authenticate'], { key, projectId }: RawIntent) {
  const now = new Date();
  const caller = await authenticate(key);
  if (!caller) throw new Error('an agent of the benchmark has no key');
  const { agentId } = caller;
  await withTransaction(db, async (tx) => {
    await Promise.all([lockForEntry(tx, projectId, 'for share'), lockActiveAgent(tx, caller, now)]);
    await Promise.all([
      insertIntent(tx, { id: randomUUIDv7(), projectId, agentId, ...ENTRY, now }),
      countIntentsSince(tx, agentId, startOfUtcDay(now)),
      listOpenIntents(tx, agentId, { now, activeSince: activeSince(now) }),
      findLatestTerms(tx, projectId),
    ]);
  });
  await usedQuota(db, caller, now);
}
