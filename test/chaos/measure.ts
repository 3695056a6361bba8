import type { PartName } from './cluster.ts';
import { type Exchange, OVERLOADED } from './exchanges.ts';

export type Kill = { part: PartName; at: number };

/** The answers that clients got after one kill, until the next one. */
export type AfterKill = {
  part: PartName;
  requests: number;
  /** From the first refusal to the last one. A refusal is a 5xx without an outcome to ask for again. */
  refusedForMs: number;
  slowestMs: number;
  /** Reads that failed although the service was not too busy. */
  failedReads: number;
};

/** The service has the payment or the confirmation, and the client asks again for its outcome. */
const PENDING = new Set(['PAYMENT_PENDING', 'CONFIRMATION_PENDING']);
const READS = new Set(['search', 'details', 'market', 'profile']);

export function measure(exchanges: readonly Exchange[], { part, at }: Kill, until = Infinity): AfterKill {
  const own = exchanges.filter(({ ended }) => ended >= at && ended < until);
  const refusals = own
    .filter(({ status, code }) => status >= 500 && !PENDING.has(code ?? ''))
    .map(({ ended }) => ended);
  return {
    part,
    requests: own.length,
    refusedForMs: refusals.length === 0 ? 0 : Math.round(Math.max(...refusals) - Math.min(...refusals)),
    slowestMs: Math.round(Math.max(0, ...own.map(({ began, ended }) => ended - began))),
    failedReads: own.filter(({ kind, status, code }) => READS.has(kind) && status !== 200 && code !== OVERLOADED)
      .length,
  };
}
