import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback, limitKey } from '../../addresses.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { PaymentRefused } from '../../x402/public.ts';
import { unavailable } from '../answers/errors.ts';
import type { LimitKey, Limits, LimitState, Reservation } from './limits.ts';
import type { Caller } from '../../callers.ts';
import { recordFailedPaymentLimit } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';

// As long as a request waits for a settlement: by then the payments before it have an outcome here, or never get one.
const RESERVATION_WAIT_MS = 15_000;
const RESERVATION_POLL_MS = 50;

/** A request with everything that its limits depend on. `states` collects the limits that its answer reports. */
export type CountedRequest = {
  spec: OperationSpec;
  caller: Caller;
  remoteAddress: string;
  development: boolean;
  states: LimitState[];
};

/**
 * Counts the request against every limit of its operation.
 *
 * @param presented whether the request carries a payment
 * @returns the reservation of a presented payment, which the caller has to end; otherwise `null`
 * @throws LimitExceeded
 */
export async function takeLimits(
  limits: Limits,
  request: CountedRequest,
  presented: boolean,
): Promise<Reservation | null> {
  const { spec, caller, remoteAddress, states } = request;
  if (spec.paid) return await takePaidLimits(limits, request, presented);
  if (!spec.limits) return null;
  if (isExempt(request)) await peekLimits(limits, request);
  else await limits.take(spec.limits, subjectOf(caller, remoteAddress), codeOf(spec), states);
  return null;
}

/** Counts a request that turns out to be a registration, and adds the limit to those that its answer reports. */
export async function takeRegistration(limits: Limits, request: CountedRequest): Promise<void> {
  const { spec, caller, remoteAddress, states } = request;
  if (isExempt(request)) return;
  await limits.take(['registration'], subjectOf(caller, remoteAddress), codeOf(spec), states);
}

/** A development start does not limit its own machine. */
function isExempt({ caller, development, remoteAddress }: CountedRequest): boolean {
  return caller.kind === 'public' && development && isLoopback(remoteAddress);
}

/** Reports the limits of a request without counting it. */
export async function peekLimits(
  limits: Limits,
  { spec, caller, remoteAddress, states }: CountedRequest,
): Promise<void> {
  const names: LimitKey[] = [...(spec.limits ?? [])];
  if (spec.paid) names.push('failedPayments');
  await limits.peek(names, subjectOf(caller, remoteAddress), states);
}

/** Replaces the state of the failed payments, after this request's payment has failed. */
async function refreshFailedPayments(limits: Limits, request: CountedRequest): Promise<void> {
  const { caller, remoteAddress, states } = request;
  const now: LimitState[] = [];
  await limits.peek(['failedPayments'], subjectOf(caller, remoteAddress), now);
  const at = states.findIndex(({ name }) => name === 'failedPayments');
  states.splice(at === -1 ? states.length : at, at === -1 ? 0 : 1, ...now);
}

/**
 * Reserves one of the failed payments that the agent has left, until the outcome of this payment is known. So concurrent
 * requests cannot fail more often than successive ones. When other payments hold every reservation, the request waits,
 * because most of them succeed and free theirs.
 */
async function takePaidLimits(
  limits: Limits,
  { spec, caller, remoteAddress, states }: CountedRequest,
  presented: boolean,
): Promise<Reservation | null> {
  const subject = subjectOf(caller, remoteAddress);
  await limits.take(spec.limits ?? [], subject, codeOf(spec), states);
  if (!presented) {
    const failed: LimitState[] = [];
    await limits.peek(['failedPayments'], subject, failed);
    for (const state of failed) states.push({ ...state, shownOnly: true });
    return null;
  }
  for (let waited = 0; waited <= RESERVATION_WAIT_MS; waited += RESERVATION_POLL_MS) {
    const reservation = await limits.reserve(subject, codeOf(spec), states);
    if (reservation !== 'busy') return reservation;
    await sleep(RESERVATION_POLL_MS);
  }
  throw unavailable('Too many of your payments are still settling. Nothing was charged; try again.');
}

/** Returns true for a payment that was presented and then refused, or that did not settle. */
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

/**
 * Call it after a failed payment was counted. The answer then reports the new count. When that was the last one this hour
 * allows, the agent's standing records a day on which the limit was reached. A failure here is only logged: the client
 * gets the refusal of its payment.
 */
export async function noteFailedPayment(deps: Deps, limits: Limits, request: CountedRequest): Promise<void> {
  const { caller, states } = request;
  try {
    await refreshFailedPayments(limits, request);
    const usedUp = states.some(({ name, remaining }) => name === 'failedPayments' && remaining === 0);
    if (usedUp && caller.kind === 'agent') await recordFailedPaymentLimit(deps, caller.agentId);
  } catch (error) {
    deps.log.error(
      { err: error, caller: caller.kind },
      'could not record that the limit of failed payments was reached',
    );
  }
}
