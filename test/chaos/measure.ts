import type { PartName } from './cluster.ts';
import { type Exchange, OVERLOADED } from './exchanges.ts';

export type Kill = { part: PartName; at: number };

export type PartFigures = {
  part: PartName;
  kills: number;
  requests: number;
  /** Answers with a 5xx. */
  unavailable: number;
  broken: number;
  /** From the first 5xx after a kill to the last one, the longest of all kills. */
  longestOutageMs: number;
  slowestMs: number;
  /** The slowest answer to a request that waits for the chain or an inspection on purpose. */
  longestWaitMs: number;
  failedReads: number;
  /** Those of them that the service refused because the machine was too busy. */
  shedReads: number;
};

export type Measured = {
  requests: number;
  figures: PartFigures[];
  /** Answers that no client can work with, such as a 503 without Retry-After. */
  faults: string[];
  /** The answers that took longest, each with a line. */
  slowest: string[];
  /** How often each status and code was answered, by kind of request. */
  answers: Record<string, number>;
};

const SLOWEST = 12;
/** A payment waits for its outcome for up to 15 s, and a confirmation for the inspection for up to 10 s. */
const WAITING = /^(pay|publish|confirm)/;
const SHED = new Set([OVERLOADED, 'SEARCH_BUSY']);
const READS = new Set(['search', 'details', 'market', 'profile']);

/** Gives each request to the kill before it, and sums them up by part. */
export function measure(exchanges: readonly Exchange[], kills: readonly Kill[]): Measured {
  const figures = new Map<PartName, PartFigures>();
  for (const [index, { part, at }] of kills.entries()) {
    const end = kills[index + 1]?.at ?? Infinity;
    const own = exchanges.filter(({ ended }) => ended >= at && ended < end);
    const unavailable = own.filter(({ status }) => status >= 500);
    const broken = own.filter(({ status }) => status === 0);
    const failedReads = own.filter(({ kind, status }) => READS.has(kind) && status !== 200);
    const before = figures.get(part);
    figures.set(part, {
      part,
      kills: (before?.kills ?? 0) + 1,
      requests: (before?.requests ?? 0) + own.length,
      unavailable: (before?.unavailable ?? 0) + unavailable.length,
      broken: (before?.broken ?? 0) + broken.length,
      longestOutageMs: Math.max(before?.longestOutageMs ?? 0, spanOf(unavailable)),
      slowestMs: Math.max(before?.slowestMs ?? 0, longestOf(own, false)),
      longestWaitMs: Math.max(before?.longestWaitMs ?? 0, longestOf(own, true)),
      failedReads: (before?.failedReads ?? 0) + failedReads.length,
      shedReads: (before?.shedReads ?? 0) + failedReads.filter(({ code }) => SHED.has(code ?? '')).length,
    });
  }
  return {
    requests: exchanges.length,
    figures: [...figures.values()],
    faults: exchanges.flatMap(({ kind, fault }) => (fault === null ? [] : [`${kind}: ${fault}`])),
    slowest: slowestOf(exchanges, kills),
    answers: countAnswers(exchanges),
  };
}

function slowestOf(exchanges: readonly Exchange[], kills: readonly Kill[]): string[] {
  const lasted = ({ began, ended }: Exchange) => ended - began;
  const slowest = exchanges.toSorted((a, b) => lasted(b) - lasted(a)).slice(0, SLOWEST);
  return slowest.map((exchange) => {
    const kill = kills.findLast(({ at }) => at <= exchange.ended);
    const { kind, status, code } = exchange;
    const since = kill ? ` began ${Math.round(exchange.began - kill.at)} ms after ${kill.part} was killed` : '';
    return `${kind} ${status} ${code ?? ''} after ${Math.round(lasted(exchange))} ms,${since}`;
  });
}

function longestOf(exchanges: Exchange[], waiting: boolean): number {
  const own = exchanges.filter(({ kind }) => WAITING.test(kind) === waiting);
  return Math.max(0, ...own.map(({ began, ended }) => Math.round(ended - began)));
}

function spanOf(unavailable: Exchange[]): number {
  const times = unavailable.map(({ ended }) => ended);
  return times.length === 0 ? 0 : Math.round(Math.max(...times) - Math.min(...times));
}

function countAnswers(exchanges: readonly Exchange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, status, code } of exchanges) {
    const name = `${kind} ${status}${code === null ? '' : ` ${code}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
