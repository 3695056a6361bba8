import { recordFailedPaymentLimit } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';
import type { Limits } from './limits.ts';
import { type CountedRequest, refreshFailedPayments } from './limits-of-request.ts';

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
