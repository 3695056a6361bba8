import { setTimeout as sleep } from 'node:timers/promises';
import { newPayer } from '../support/clients/client.ts';
import { registerPoster } from '../support/clients/journey.ts';
import { type Books, closeBooks } from './books.ts';
import { type Cluster, type PartName, type Pooler, startCluster } from './cluster.ts';
import { Client, type Exchange, keepSending } from './exchanges.ts';
import { Market, type Player } from './load.ts';
import { type AfterKill, type Kill, measure } from './measure.ts';

const POSTERS = 3;
const POSTER_FUNDS_MICRO = 20_000_000_000;
/** How long a part is away. A service manager starts it again sooner. */
const DOWN_MS = 4_000;
/** The load goes on for so long between two kills, so that each outage is seen to its end. */
const REST_MS = 2_500;
const FINISH_MS = 60_000;

export type ChaosOptions = {
  pooler: Pooler;
  /** How many times each part is killed. */
  kills: (part: PartName) => number;
  perSecond: number;
  /** No further part is killed after this time. Default: no limit. */
  limitMs?: number;
  say: (line: string) => void;
};

export type ChaosReport = {
  kills: AfterKill[];
  acknowledged: Record<string, number>;
  /** Answers that no client can work with, such as a 503 without Retry-After. */
  faults: string[];
  /** Refusals that no killed part explains. */
  refused: string[];
  books: Books;
  /** The log lines of the service's processes. */
  log: string;
};

/** Kills every part in turn under load, and tells what clients saw and what the books say afterwards. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { pooler, perSecond, say } = options;
  const cluster = await startCluster(pooler);
  say('the cluster serves');
  let isOver = false;
  try {
    const market = await openMarket(cluster);
    const { client } = market;
    // The requests of the preparation are none of the load.
    client.exchanges.length = 0;
    const sending = keepSending(client, {
      rate: perSecond,
      isOver: () => isOver,
      next: (turn) => market.step(turn),
    });
    const kills = await killAll(cluster, client.exchanges, options);
    isOver = true;
    await sending;
    const late = performance.now() + FINISH_MS;
    await market.finish(() => performance.now() > late);
    const books = await closeBooks(cluster, market.acknowledged);
    const acknowledged = Object.entries(market.acknowledged).map(([name, all]) => [name, all.length] as const);
    return {
      kills: kills.map((kill, index) => measure(client.exchanges, kill, kills[index + 1]?.at)),
      faults: client.exchanges.flatMap(({ kind, fault }) => (fault === null ? [] : [`${kind}: ${fault}`])),
      acknowledged: Object.fromEntries(acknowledged),
      refused: market.refused,
      books,
      log: logOf(cluster),
    };
  } catch (error) {
    say(logOf(cluster).slice(-6_000));
    throw error;
  } finally {
    isOver = true;
    await cluster.stop();
  }
}

const logOf = ({ apis, worker }: Cluster) => [...apis, worker].map((part) => part.output()).join('\n');

async function killAll(
  cluster: Cluster,
  exchanges: readonly Exchange[],
  { kills: countOf, limitMs = Infinity, say }: ChaosOptions,
): Promise<Kill[]> {
  const kills: Kill[] = [];
  const end = performance.now() + limitMs;
  const most = Math.max(...cluster.parts.map(countOf));
  await sleep(REST_MS);
  for (let round = 0; round < most; round += 1)
    for (const part of cluster.parts.filter((name) => round < countOf(name))) {
      const at = performance.now();
      if (at > end) {
        say(`the time is over after ${kills.length} kills`);
        return kills;
      }
      const kill = { part, at };
      kills.push(kill);
      await cluster.killAndStart(part, DOWN_MS);
      const wholeMs = performance.now() - at;
      await sleep(REST_MS);
      const { refusedForMs, slowestMs } = measure(exchanges, kill);
      say(
        `${kills.length}: ${part} ${round + 1}/${countOf(part)}: whole again after ${(wholeMs / 1000).toFixed(1)} s; ` +
          `refusals for ${refusedForMs} ms, slowest answer ${slowestMs} ms`,
      );
    }
  return kills;
}

/** Registers posters with money, and lets them publish the first projects. */
async function openMarket({ apis, chain }: Cluster): Promise<Market> {
  const urls = apis.map(({ url }) => url);
  const posters: Player[] = [];
  while (posters.length < POSTERS) {
    const wallet = newPayer();
    await chain.mintUsdc(wallet.address, POSTER_FUNDS_MICRO);
    const { key } = await registerPoster(urls[0] ?? '');
    posters.push({ key, wallet });
  }
  const market = new Market(new Client(urls), posters, chain.mintUsdc);
  await market.prepare();
  return market;
}
