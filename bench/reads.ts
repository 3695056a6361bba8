import { randomUUIDv7 } from 'node:crypto';
import { lockAgent } from '../server/agents/accounts/queries.ts';
import { createPool } from '../server/db/pool.ts';
import { withTransaction } from '../server/db/transaction.ts';
import { countIntentsSince, insertIntent } from '../server/entries/queries.ts';
import { findPublished } from '../server/projects/queries.ts';
import { type Search, searchStatement } from '../server/projects/search/search-queries.ts';
import type { Db } from '../server/db/database.ts';
import { httpLoad, interleaved, type Tools, workLoad } from './measure.ts';
import { type Row, rowsBeside } from './report.ts';
import { type BenchWorld, DATABASE_CONNECTIONS } from './world.ts';

const DIFFERENT = 20_000;
/** The number of agents that read in turn. */
const READERS = 100;
const STATEMENTS = 'the same statements raw';
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

/** Sends requests to the service, and to that of another checkout, if there is one. */
function serviceLoads(tools: Tools, requests: string[]) {
  const { service, other } = tools.world;
  const load = (port: number) => {
    const toPort = requests.map((request) => request.replace(`127.0.0.1:${service.port}`, `127.0.0.1:${port}`));
    return httpLoad(tools, { port, requests: toPort });
  };
  return { service: load(service.port), ...(other ? { other: load(other.port) } : {}) };
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
  // This is below the daily quota of a pro agent. Half of the intents go to the service and half to the statements.
  const perAgent = 20;
  const pairs = Array.from({ length: agents.length * perAgent }, (_, index) => {
    const place = index % agents.length;
    const agent = agents[place]!;
    const turn = Math.floor(index / agents.length);
    return { agent, agentId: agent.id, projectId: openProjects[(place * 17 + turn) % openProjects.length]! };
  });
  const half = pairs.length / 2;
  const body = JSON.stringify({ title: 'Lighthouse at dusk', description: 'Calm water, one boat, the lamp just lit.' });
  const rest = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const requests = pairs
    .slice(0, half)
    .map(({ agent, projectId }) => requestOf(world, 'POST', `/agents/projects/${projectId}/intent`, agent.key) + rest);
  const db = createPool({ url: world.databaseUrl, connections: DATABASE_CONNECTIONS });
  const values = await interleaved(tools.rounds, {
    service: httpLoad(tools, { port: world.service.port, requests, status: 201 }),
    statements: workLoad(tools.durationMs, (index) => enter(db, pairs[half + index]!)),
  });
  await db.end();
  return rowsBeside('intent', values, { statements: { name: STATEMENTS, aim: { atLeast: 0.4 } } }, perSecond);
}

/** Makes the same round trips as the service: no HTTP, no key check, no contract. */
async function enter(db: Db, { agentId, projectId }: { agentId: string; projectId: string }): Promise<void> {
  const now = new Date();
  await withTransaction(db, async (tx) => {
    await Promise.all([findPublished(tx, projectId, 'for share'), lockAgent(tx, agentId)]);
    const intent = { id: randomUUIDv7(), projectId, agentId, title: 'Lighthouse at dusk', description: null, now };
    await Promise.all([insertIntent(tx, intent), countIntentsSince(tx, agentId, new Date(now.getTime() - 3_600_000))]);
  });
}
