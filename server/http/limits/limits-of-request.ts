import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback, limitKey } from '../../addresses.ts';
import type { OperationSpec } from '../../../contract/operation.ts';
import { PaymentRefused } from '../../x402/public.ts';
import { unavailable } from '../answers/public.ts';
import type { Limits, LimitState, Place } from './limits.ts';
import type { Caller } from '../../ports/callers.ts';

// As long as a settlement is waited for: by then the payments before it have their outcome, or never get one here.
const PLACE_WAIT_MS = 15_000;
const PLACE_POLL_MS = 50;

export type RequestLimits = {
  spec: OperationSpec;
  caller: Caller;
  remoteAddress: string;
  development: boolean;
  states: LimitState[];
};

/** Counts the request against every limit of its operation, of which none has to do with payments. */
export function takeLimits(limits: Limits, counted: RequestLimits): void | Promise<void> {
  const { spec, caller, remoteAddress, development, states } = counted;
  if (!spec.limits) return undefined;
  if (caller.kind === 'public' && development && isLoopback(remoteAddress)) return lookAtLimits(limits, counted);
  return limits.take(spec.limits, subjectOf(caller, remoteAddress), codeOf(spec), states);
}

/** What is left of them, for an answer to what is not counted. */
export function lookAtLimits(
  limits: Limits,
  { spec, caller, remoteAddress, states }: RequestLimits,
): void | Promise<void> {
  return limits.look(spec.limits ?? [], subjectOf(caller, remoteAddress), states);
}

/**
 * The same for what is paid for. Whoever presents a payment gets a place among the failed ones that are left, until its
 * outcome: requests at once can not fail more often than one after the other. Where other payments keep every place it
 * waits for one of them, since most of them succeed.
 */
export async function takePaidLimits(
  limits: Limits,
  { spec, caller, remoteAddress, states }: RequestLimits,
  presented: boolean,
): Promise<Place | null> {
  const subject = subjectOf(caller, remoteAddress);
  let names = spec.limits ?? [];
  for (let waited = 0; waited <= PLACE_WAIT_MS; waited += PLACE_POLL_MS) {
    const place = await limits.takePaid(names, subject, codeOf(spec), states, presented);
    if (place !== 'busy') return place;
    names = [];
    await sleep(PLACE_POLL_MS);
  }
  throw unavailable('Too many payments of yours wait for their outcome. Nothing was charged; try again.');
}

/** A payment came and was refused, or did not settle: a request without one is none. */
export function isFailedPayment(error: unknown): boolean {
  return error instanceof PaymentRefused && error.counted;
}

function codeOf(spec: OperationSpec) {
  return spec.limitError ?? 'RATE_LIMIT_EXCEEDED';
}

function subjectOf(caller: Caller, remoteAddress: string): string {
  if (caller.kind === 'agent') return caller.agentId;
  if (caller.kind === 'poster') return caller.posterId;
  return limitKey(remoteAddress);
}
