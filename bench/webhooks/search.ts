import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../report.ts';
import { median, ratios } from '../statistics.ts';
import { type FanOutKind, nameOf, DESTINATIONS, warmUp } from './fan-out.ts';
import type { SearchResult } from './search-peer.ts';
import { webhookLogs, type WebhookWorld } from './webhooks-world.ts';

// Measures the duration of a search during a fan-out, and while the sender is halted. The API runs in a separate
// process. A machine can be twice as slow a minute later, so both are measured in turn, seconds apart. The halt is a
// part of each round and shorter than the deadline of an attempt.

const PER_SECOND = 100;
const WARM_UP = 1_000;
const WARM_UP_MS = 10_000;
const RUNNING_MS = 5_000;
const HALTED_MS = 3_000;
/** The time until in-flight requests have arrived and the sender is back at full speed. */
const SETTLING_MS = 400;
/** One round has 500 and 300 searches, too few for a 99th percentile. */
const ROUNDS_TOGETHER = 6;
const RATIOS = 6;

type Span = { from: number; until: number };
type Round = Record<'running' | 'halted', Span>;

export type SearchOptions = { kind: FanOutKind; subscribers: number; quick: boolean };

export async function measureSearches(world: WebhookWorld, options: SearchOptions): Promise<Row> {
  const { kind, subscribers, quick } = options;
  const most = (quick ? 1 : RATIOS) * ROUNDS_TOGETHER;
  const sender = await world.startPart('worker');
  await warmUp(world, kind, Math.min(WARM_UP, subscribers));
  await world.subscribe(subscribers, DESTINATIONS[kind]);
  const searching = await startSearching(world);
  const rounds: Round[] = [];
  const sending = keepSending(world);
  for (let reached = 0; rounds.length < most; reached = sending.reached()) {
    rounds.push(await inTurns(sender.pid));
    if (sending.reached() === reached) break;
  }
  const result = await searching.stop();
  await sending.stop();
  await sender.running.kill('SIGTERM');
  const said = webhookLogs([sender]);
  if (said) throw new Error(`the sender logged:\n${said}`);
  if (rounds.length < most) throw new Error('no subscriber was reached for a round');
  return rowOf(nameOf({ kind, senders: 1, subscribers }), result, rounds);
}

async function startSearching(world: WebhookWorld): Promise<{ stop(): Promise<SearchResult> }> {
  const api = await world.startPart('api');
  const keys = world.readers.map(({ key }) => key);
  const peer = world.startPeer('webhooks/search-peer.ts', { port: api.port, keys, perSecond: PER_SECOND });
  await peer.ask('start');
  await sleep(WARM_UP_MS);
  return {
    async stop() {
      const result = await peer.ask<SearchResult>('stop');
      await peer.stop();
      await api.running.kill('SIGTERM');
      return result;
    },
  };
}

/** Announces one event after another until `stop`. */
function keepSending(world: WebhookWorld) {
  const stopping = new AbortController();
  let before = 0;
  let now = 0;
  const sending = (async () => {
    while (!stopping.signal.aborted) {
      const { subscribers } = await world.announce();
      before += now;
      now = 0;
      while (!stopping.signal.aborted && now < subscribers) {
        await sleep(100);
        now = await world.reached();
      }
      if (!stopping.signal.aborted) await world.untilWritten();
    }
  })();
  // `stop` reports the error. Until then, the measurement shows that no subscriber is reached.
  sending.catch(() => {});
  return {
    /** Returns how many deliveries have arrived in total. */
    reached: () => before + now,
    async stop(): Promise<void> {
      stopping.abort();
      await sending;
    },
  };
}

async function inTurns(senderPid: number): Promise<Round> {
  const running = await spanOf(RUNNING_MS);
  process.kill(senderPid, 'SIGSTOP');
  const halted = await spanOf(HALTED_MS);
  process.kill(senderPid, 'SIGCONT');
  return { running, halted };
}

async function spanOf(ms: number): Promise<Span> {
  await sleep(SETTLING_MS);
  const from = Date.now();
  await sleep(ms);
  return { from, until: Date.now() };
}

function rowOf(fanOut: string, result: SearchResult, rounds: Round[]): Row {
  const p99 = (state: keyof Round): number[] => {
    const values: number[] = [];
    for (let at = 0; at + ROUNDS_TOGETHER <= rounds.length; at += ROUNDS_TOGETHER)
      values.push(
        p99Of(
          result,
          rounds.slice(at, at + ROUNDS_TOGETHER).map((round) => round[state]),
        ),
      );
    return values;
  };
  const [running, halted] = [p99('running'), p99('halted')];
  return {
    what: `${fanOut}: a search, 99th percentile of ${PER_SECOND} a second, meanwhile : with the sender halted`,
    aim: { atMost: 1.5 },
    ratios: ratios(running, halted),
    absolute: `${median(running).toFixed(1)} ms : ${median(halted).toFixed(1)} ms`,
  };
}

function p99Of({ askedAt, tookMs }: SearchResult, spans: Span[]): number {
  const within = (at: number) => spans.some(({ from, until }) => at >= from && at < until);
  return percentile(
    [...tookMs].filter((_, index) => within(askedAt[index] ?? 0)),
    0.99,
  );
}

/** Returns the smallest value that at least this share of the values does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
