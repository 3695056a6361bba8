import type { Search } from '../server/projects/search/search-queries.ts';
import { interleaved, type Values } from './statistics.ts';
import { copyAnswer, getRequest, httpLoad, postRequest, READERS, statementLoad, type Tools } from './tools.ts';
import type { BenchWorld } from './bench-world.ts';

const DIFFERENT = 20_000;

export type Measured = { values: Values; answerBytes: number };

/** Measures one search that many agents send in the same second. */
export async function measureCachedSearch(world: BenchWorld, tools: Tools): Promise<Measured> {
  const path = '/agents/projects?status=open&limit=20';
  const bare = await copyAnswer(world, tools, path);
  const requests = world.agents.slice(0, READERS).map(({ key }) => getRequest(world, path, key));
  const values = await interleaved(tools.rounds, {
    service: httpLoad(tools, world.service, requests),
    bareHttp: httpLoad(tools, bare, requests),
    ...otherLoad(world, tools, requests),
  });
  return { values, answerBytes: bare.bytes };
}

/**
 * Measures searches without a cached answer: a third each by date, prize, and fee. Each search starts at a different
 * position.
 */
export async function measureUncachedSearch(world: BenchWorld, tools: Tools): Promise<Measured> {
  const kinds = Array.from({ length: DIFFERENT }, (_, index) => differentSearch(index, world.projects));
  const requests = kinds.map(({ path }, index) => getRequest(world, path, world.agents[index % READERS]!.key));
  const searches = kinds.map((kind) => kind.search);
  const { bytes } = await copyAnswer(world, tools, kinds[1]!.path);
  const values = await interleaved(tools.rounds, {
    service: httpLoad(tools, world.service, requests),
    statements: statementLoad(tools, { kind: 'search', searches }),
    ...otherLoad(world, tools, requests),
  });
  return { values, answerBytes: bytes };
}

/** The same requests for the service of another checkout, if there is one. */
function otherLoad({ service, other }: BenchWorld, tools: Tools, requests: string[]) {
  if (!other) return {};
  const host = (port: number) => `Host: 127.0.0.1:${port}`;
  const toOther = requests.map((request) => request.replace(host(service.port), host(other.port)));
  return { other: httpLoad(tools, other, toOther) };
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

/**
 * Measures intents. Each request comes from another agent in another project, because an agent enters a project once.
 */
export async function measureIntents(world: BenchWorld, tools: Tools): Promise<Measured> {
  const { agents, openProjects } = world;
  // This is below the daily quota of a pro agent. Half of the intents go to the service and half to the statements.
  const perAgent = 20;
  const pairs = Array.from({ length: agents.length * perAgent }, (_, index) => {
    const place = index % agents.length;
    const turn = Math.floor(index / agents.length);
    const agent = agents[place]!;
    return { agent, agentId: agent.id, projectId: openProjects[(place * 17 + turn) % openProjects.length]! };
  });
  const half = pairs.length / 2;
  const body = JSON.stringify({ title: 'Lighthouse at dusk', description: 'Calm water, one boat, the lamp just lit.' });
  const requests = pairs
    .slice(0, half)
    .map(({ agent, projectId }) => postRequest(world, `/agents/projects/${projectId}/intent`, agent.key, body));
  const values = await interleaved(tools.rounds, {
    service: httpLoad(tools, world.service, requests, 201),
    statements: statementLoad(tools, { kind: 'intent', pairs: pairs.slice(half) }),
  });
  return { values, answerBytes: 0 };
}
