import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from './report.ts';
import { median } from './statistics.ts';
import type { SearchResult } from './webhooks-search-peer.ts';
import type { WebhookWorld } from './webhooks-world.ts';

// What a search takes while a fan-out is under way, beside one while nothing is: the API in a process of its own.

const PER_SECOND = 100;
const WARM_UP_MS = 3_000;
/** Of each p99. */
const WINDOW_MS = 10_000;

type Span = { from: number; until: number };
export type Searched = { result: SearchResult; idle: Span[] };

/** `idleMs` is how long each measurement beside nothing takes. */
export async function startSearching(world: WebhookWorld, idleMs: number) {
  const api = await world.startPart('api');
  const keys = world.readers.map(({ key }) => key);
  const peer = world.startPeer('webhooks-search-peer.ts', { port: api.port, keys, perSecond: PER_SECOND });
  await peer.ask('start');
  await sleep(WARM_UP_MS);
  const idle: Span[] = [];
  return {
    /** Searches on while nothing else is done. */
    async idle(): Promise<void> {
      for (let left = idleMs; left > 0; left -= WINDOW_MS) {
        const from = Date.now();
        await sleep(Math.min(WINDOW_MS, left));
        idle.push({ from, until: Date.now() });
      }
    },
    async stop(): Promise<Searched> {
      const result = await peer.ask<SearchResult>('stop');
      await peer.stop();
      await api.running.kill('SIGTERM');
      return { result, idle };
    },
  };
}

export function searchRow(fanOut: string, { result, idle }: Searched, during: Span): Row {
  const idleMs = median(idle.map((span) => p99Of(result, span)));
  const spans: Span[] = [];
  for (let from = during.from; from === during.from || from + WINDOW_MS <= during.until; from += WINDOW_MS)
    spans.push({ from, until: Math.min(from + WINDOW_MS, during.until) });
  const busyMs = spans.map((span) => p99Of(result, span));
  return {
    what: `${fanOut}: a search, 99th percentile of ${PER_SECOND} a second, meanwhile : before and after`,
    aim: { atMost: 1.5 },
    ratios: busyMs.map((ms) => ms / idleMs),
    absolute: `${median(busyMs).toFixed(1)} ms : ${idleMs.toFixed(1)} ms`,
  };
}

function p99Of({ askedAt, tookMs }: SearchResult, { from, until }: Span): number {
  return percentile(
    [...tookMs].filter((_, index) => (askedAt[index] ?? 0) >= from && (askedAt[index] ?? 0) < until),
    0.99,
  );
}

/** The value that so large a share is not above. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
