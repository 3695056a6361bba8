import { recordFailedPaymentLimit } from '../../agents/standing/public.ts';
import type { Deps } from '../../deps.ts';
import type { Limits, LimitState } from './limits.ts';
import type { Caller } from '../../ports/callers.ts';

/**
 * Call it after a failed payment was counted. When that was the last one this hour allows, the agent's standing records a
 * day on which the limit was reached. A failure here is only logged: the client gets the refusal of its payment.
 */
export async function noteFailedPayment(deps: Deps, limits: Limits, caller: Caller): Promise<void> {
  if (caller.kind !== 'agent') return;
  const states: LimitState[] = [];
  try {
    await limits.peek(['failedPayments'], caller.agentId, states);
    if (states.some(({ remaining }) => remaining === 0)) await recordFailedPaymentLimit(deps, caller.agentId);
  } catch (error) {
    deps.log.error(
      { err: error, agentId: caller.agentId },
      'could not record that the limit of failed payments was reached',
    );
  }
}
