import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMb } from '../child.ts';
import { databaseCpu } from './database.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import type { Arrivals, Announced, Destination } from './audience.ts';
import type { ClientAnswer, ClientQuestion } from './client-peer.ts';
import { webhookLogs, type ServicePart, type WebhookWorld } from './webhooks-world.ts';

// Sends one event to all subscribers. It measures the speed, compared with plain undici loops to the same receivers
// just before and after. It also measures memory and rows, and checks that the event reaches every subscriber.

export type FanOutKind = 'new' | 'reused';

/** In development, a sender treats each host as a separate network with at most 8 deliveries at once. */
const HOSTS = 64;
export const DESTINATIONS: Record<FanOutKind, (n: number, turn: number) => Destination> = {
  new: (n) => ({ host: `s-${n}` }),
  reused: (_, turn) => ({ host: `own-${turn % HOSTS}` }),
};
const WHAT: Record<FanOutKind, string> = {
  new: 'a new TLS connection for each',
  reused: `${HOSTS} hosts, connections used again`,
};
const AIMS: Record<FanOutKind, number> = { new: 0.85, reused: 0.5 };
const MOST_MB = 400;
/** Memory counts as flat up to this ratio. */
const FLAT = 1.15;

export type FanOutOptions = {
  kind: FanOutKind;
  senders: number;
  subscribers: number;
  /** How many requests the bare loops send. */
  bare: Record<FanOutKind, number>;
};

export function nameOf({ kind, senders, subscribers }: Omit<FanOutOptions, 'bare'>): string {
  return `a fan-out to ${subscribers.toLocaleString('en')}, ${WHAT[kind]}, ${senders} sender${senders > 1 ? 's' : ''}`;
}

export async function measureFanOut(world: WebhookWorld, options: FanOutOptions): Promise<Row[]> {
  const { kind, senders, subscribers } = options;
  const bare = await startBare(world, options);
  const parts = await Promise.all(Array.from({ length: senders }, () => world.startPart('worker')));
  await warmUp(world, kind, Math.min(Math.ceil(options.bare[kind] / 4), subscribers));
  await world.subscribe(subscribers, DESTINATIONS[kind]);
  const memory = sampleMemory(parts);
  const before = await bare();
  const cpuBefore = await cpuOf(parts);
  const databaseBefore = await databaseCpu(world.db);
  const writtenBefore = await readWritten(world);
  const event = await world.announce();
  await world.untilReached(subscribers);
  const cpuMicros = (((await cpuOf(parts)) - cpuBefore) / subscribers) * 1e6;
  await world.untilWritten();
  const databaseMicros = (((await databaseCpu(world.db)) - databaseBefore) / subscribers) * 1e6;
  const endedAt = Date.now();
  const samples = await memory.stop();
  const arrivals = await world.arrivals();
  const after = await bare();
  await bare.stop();
  const perSecond = rateOf(event, arrivals);
  const bareRate = median([before.perSecond, after.perSecond]);
  const bareMicros = median([before.cpuMicros, after.cpuMicros]);
  const what = nameOf(options);
  const rows: Row[] = [
    {
      what: `${what} : ${senders > 1 ? 'as many bare undici loops' : 'a bare undici loop'}`,
      aim: { atLeast: AIMS[kind] },
      ratios: [perSecond / before.perSecond, perSecond / after.perSecond],
      absolute: `${Math.round(perSecond)}/s (${Math.round(cpuMicros)} µs of CPU each, ${Math.round(databaseMicros)} of the database, ${arrivals.connections} connections) : ${Math.round(bareRate)}/s (${Math.round(bareMicros)} µs)`,
    },
    await lossRow(world, what, event, arrivals),
    ...memoryRows(what, samples, event, endedAt),
    await rewrittenRow(world, what, writtenBefore, subscribers),
  ];
  for (const { running } of parts) await running.kill('SIGTERM');
  const said = webhookLogs(parts);
  if (said) throw new Error(`a sender logged:\n${said}`);
  return rows;
}

/** Measures as many bare loops as there are senders: requests per second, and CPU for each request. */
async function startBare(world: WebhookWorld, { kind, senders, bare }: FanOutOptions) {
  const settings = { kind: 'bare', ca: world.ca, ports: world.ports };
  const children = Array.from({ length: senders }, () => world.startPeer('webhooks/client-peer.ts', settings));
  const question: ClientQuestion = { count: bare[kind], width: 32, reused: kind === 'reused' };
  const ask = async (asked: ClientQuestion) => {
    const answers = await Promise.all(children.map((child) => child.ask<ClientAnswer>(asked)));
    if (answers.some(({ failed }) => failed > 0)) throw new Error('a bare loop failed');
    return {
      perSecond: answers.reduce((sum, { perSecond }) => sum + perSecond, 0),
      cpuMicros: median(answers.map(({ cpuMicros }) => cpuMicros)),
    };
  };
  await ask({ ...question, count: Math.ceil(question.count / 4) });
  return Object.assign(() => ask(question), { stop: () => Promise.all(children.map((child) => child.stop())) });
}

/** Delivers to other hosts before the measurement. */
export async function warmUp(world: WebhookWorld, kind: FanOutKind, count: number): Promise<void> {
  const destination = DESTINATIONS[kind];
  await world.subscribe(count, (n, turn) => ({ host: `warm-${destination(n, turn).host}` }));
  await world.announce();
  await world.untilReached(count);
  await world.untilWritten();
}

const lastOf = ({ at }: Arrivals): number => at.reduce((most, time) => Math.max(most, time), 0);

function rateOf(event: Announced, arrivals: Arrivals): number {
  return event.subscribers / ((lastOf(arrivals) - event.at) / 1000);
}

/** Returns the share of subscribers that the event reached, by the receivers' counts and by the service's rows. */
export async function lossRow(
  { db }: WebhookWorld,
  what: string,
  event: Announced,
  { counts, strangers }: Arrivals,
): Promise<Row> {
  const reached = counts.reduce((sum, count) => sum + Math.min(count, 1), 0);
  const requests = counts.reduce((sum, count) => sum + count, 0);
  const [written] = await db<[{ subscribers: number }]>`
    select count(distinct webhook_id)::integer as subscribers from webhook_attempts
    where event_id = ${event.id} and outcome = 'delivered'`;
  if (strangers > 0) throw new Error(`${strangers} requests had another webhook-id`);
  return {
    what: `${what}: subscribers reached, of all`,
    aim: { atLeast: 1 },
    ratios: [reached / event.subscribers, written.subscribers / event.subscribers],
    absolute: `${reached} reached, ${written.subscribers} written down, ${requests - reached} sent again`,
  };
}

async function cpuOf(parts: ServicePart[]): Promise<number> {
  const all = await Promise.all(parts.map(({ pid }) => cpuSeconds(pid)));
  return all.reduce((sum, each) => sum + each, 0);
}

type Sample = { at: number; mb: number };

function sampleMemory(parts: ServicePart[]) {
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const each = await Promise.all(parts.map(({ pid }) => residentMb(pid)));
      samples.push({ at: Date.now(), mb: Math.max(...each) });
      await sleep(500);
    }
  })();
  return {
    async stop(): Promise<Sample[]> {
      stopping.abort();
      await sampling;
      return samples;
    },
  };
}

/** Compares the last quarter of the fan-out with the second one, because caches fill during the first. */
function memoryRows(what: string, samples: Sample[], { at: from }: Announced, until: number): Row[] {
  const during = samples.filter(({ at }) => at >= from && at <= until).map(({ mb }) => mb);
  const quarter = (index: number) =>
    median(during.slice(Math.floor((during.length * index) / 4), Math.ceil((during.length * (index + 1)) / 4)));
  const most = Math.max(...during);
  return [
    {
      what: `${what}: resident memory of a sender : ${MOST_MB} MB`,
      aim: { atMost: 1 },
      ratios: [most / MOST_MB],
      absolute: `${Math.round(most)} MB at most`,
    },
    {
      what: `${what}: resident memory, last quarter : second`,
      aim: { atMost: FLAT },
      ratios: [quarter(3) / quarter(1)],
      absolute: `${Math.round(quarter(3))} MB : ${Math.round(quarter(1))} MB`,
    },
  ];
}

const TABLES = ['webhooks', 'webhook_fan_outs', 'webhook_retries', 'webhook_attempts'];
type Written = { name: string; rewritten: number; dead: number };

/**
 * Reads row versions by table, with partitions: those that updates and deletes have left, and those not yet removed.
 */
async function readWritten({ db }: WebhookWorld): Promise<Written[]> {
  // PostgreSQL publishes its statistics up to a second later.
  await sleep(1_500);
  return await db<Written[]>`
    select name, sum(n_tup_upd + n_tup_del)::integer as rewritten, sum(n_dead_tup)::integer as dead
    from unnest(${TABLES}::text[]) with ordinality as t (name, place)
    join pg_stat_user_tables s on s.relname = name or s.relname like name || '\\_%'
    group by name, place order by place`;
}

async function rewrittenRow(world: WebhookWorld, what: string, before: Written[], subscribers: number): Promise<Row> {
  const after = await readWritten(world);
  const rewritten = after.map(({ name, rewritten: count }) => ({
    name,
    count: count - (before.find((one) => one.name === name)?.rewritten ?? 0),
  }));
  const total = rewritten.reduce((sum, { count }) => sum + count, 0);
  const byTable = rewritten.map(({ name, count }) => `${name} ${count}`).join(', ');
  const dead = after.reduce((sum, each) => sum + each.dead, 0);
  return {
    what: `${what}: row versions left behind, of each delivery`,
    aim: { atMost: 0.02 },
    ratios: [total / subscribers],
    absolute: `${byTable}; ${dead} of them not cleaned up yet`,
  };
}
