import type { PartName } from './cluster.ts';
import { type Exchange, OVERLOADED } from './exchanges.ts';

export type Kill = { part: PartName; at: number };

export type PartFigures = {
  part: PartName;
  kills: number;
  requests: number;
  /** Answers with a 5xx that are not `pending`. */
  refused: number;
  /** Answers PAYMENT_PENDING and CONFIRMATION_PENDING. */
  pending: number;
  broken: number;
  /** From the first refusal after a kill to the last one, the longest of all kills. */
  longestRefusalMs: number;
  /** The refusals of that kill: how many of each code, and when after the kill. */
  refusals: string;
  slowestMs: number;
  /** The kind of request of that answer. */
  slowest: string;
  /** The slowest answer to a request that carries a payment. */
  longestPaymentMs: number;
  longestPayment: string;
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
  /** Every refusal and every answer after more than 5 s, as they ended. */
  notable: Notable[];
  /** How often each status and code was answered, by kind of request. */
  answers: Record<string, number>;
};

/** An answer, and when it ended after the kill before it. */
type Notable = Pick<Exchange, 'kind' | 'status' | 'code' | 'says'> & { killed: PartName; afterMs: number; ms: number };

const NOTABLE_MS = 5_000;
const SLOWEST = 12;
/** The service has the payment or the confirmation, and the client asks again for its outcome. */
const PENDING = new Set(['PAYMENT_PENDING', 'CONFIRMATION_PENDING']);
/** The kinds that carry a payment, and wait for its outcome for up to 15 s. Their quotes carry none. */
const PAYMENTS = new Set(['pay', 'publish']);
const SHED = new Set([OVERLOADED]);
const READS = new Set(['search', 'details', 'market', 'profile']);

/** Gives each request to the kill before it, and sums them up by part. */
export function measure(exchanges: readonly Exchange[], kills: readonly Kill[]): Measured {
  const figures = new Map<PartName, PartFigures>();
  for (const [index, { part, at }] of kills.entries()) {
    const end = kills[index + 1]?.at ?? Infinity;
    const own = exchanges.filter(({ ended }) => ended >= at && ended < end);
    const pending = own.filter(({ code }) => PENDING.has(code ?? ''));
    const refused = own.filter(({ status, code }) => status >= 500 && !PENDING.has(code ?? ''));
    const broken = own.filter(({ status }) => status === 0);
    const failedReads = own.filter(({ kind, status }) => READS.has(kind) && status !== 200);
    const before = figures.get(part);
    figures.set(part, {
      part,
      kills: (before?.kills ?? 0) + 1,
      requests: (before?.requests ?? 0) + own.length,
      refused: (before?.refused ?? 0) + refused.length,
      pending: (before?.pending ?? 0) + pending.length,
      broken: (before?.broken ?? 0) + broken.length,
      ...longer(before, refused, at),
      ...slower(before, own),
      failedReads: (before?.failedReads ?? 0) + failedReads.length,
      shedReads: (before?.shedReads ?? 0) + failedReads.filter(({ code }) => SHED.has(code ?? '')).length,
    });
  }
  return {
    requests: exchanges.length,
    figures: [...figures.values()],
    faults: exchanges.flatMap(({ kind, fault }) => (fault === null ? [] : [`${kind}: ${fault}`])),
    slowest: slowestOf(exchanges, kills),
    notable: notableOf(exchanges, kills),
    answers: countAnswers(exchanges),
  };
}

function notableOf(exchanges: readonly Exchange[], kills: readonly Kill[]): Notable[] {
  return exchanges.flatMap(({ began, ended, kind, status, code, says }) => {
    const kill = kills.findLast(({ at }) => at <= ended);
    const ms = Math.round(ended - began);
    if (!kill || (status > 0 && status < 500 && ms <= NOTABLE_MS)) return [];
    return [{ killed: kill.part, afterMs: Math.round(ended - kill.at), kind, status, code, ms, says }];
  });
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

type Slowest = Pick<PartFigures, 'slowestMs' | 'slowest' | 'longestPaymentMs' | 'longestPayment'>;

function slower(before: Slowest | undefined, exchanges: Exchange[]): Slowest {
  // Its own members alone: the caller has summed up the others of `before`.
  const { slowestMs = 0, slowest = '', longestPaymentMs = 0, longestPayment = '' } = before ?? {};
  const start: Slowest = { slowestMs, slowest, longestPaymentMs, longestPayment };
  return exchanges.reduce((known, { kind, began, ended }) => {
    const ms = Math.round(ended - began);
    if (PAYMENTS.has(kind))
      return ms > known.longestPaymentMs ? { ...known, longestPaymentMs: ms, longestPayment: kind } : known;
    return ms > known.slowestMs ? { ...known, slowestMs: ms, slowest: kind } : known;
  }, start);
}

type LongestRefusal = Pick<PartFigures, 'longestRefusalMs' | 'refusals'>;

function longer(before: LongestRefusal | undefined, refused: Exchange[], killedAt: number): LongestRefusal {
  const longestRefusalMs = spanOf(refused);
  if (before && before.longestRefusalMs >= longestRefusalMs)
    return { longestRefusalMs: before.longestRefusalMs, refusals: before.refusals };
  const seconds = (at: number) => ((at - killedAt) / 1000).toFixed(1);
  const refusals = [
    ...Map.groupBy(refused, ({ kind, code }) => `${code ?? ''} ${READS.has(kind) ? 'read' : 'write'}`),
  ].map(([name, own]) => {
    const times = own.map(({ ended }) => ended);
    return `${own.length} ${name} (${seconds(Math.min(...times))}-${seconds(Math.max(...times))} s)`;
  });
  return { longestRefusalMs, refusals: refusals.join(', ') };
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
