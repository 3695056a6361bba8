import { recordFailedPaymentLimit } from '../../agents/standing/public.ts';
import type { Deps } from '../../deps.ts';
import type { Limits, LimitState } from './limits.ts';
import type { Caller } from '../../ports/callers.ts';

/**
 * After an agent's payment has failed and was counted: whether it was the last that this hour allows counts as a day on
 * which the limit was reached. The answer is the refusal of the payment, whatever becomes of this.
 */
export async function noteFailedPayment(deps: Deps, limits: Limits, caller: Caller): Promise<void> {
  if (caller.kind !== 'agent') return;
  const told: LimitState[] = [];
  try {
    await limits.look(['failedPayments'], caller.agentId, told);
    if (told.some(({ remaining }) => remaining === 0)) await recordFailedPaymentLimit(deps, caller.agentId);
  } catch (error) {
    deps.log.error({ err: error, agentId: caller.agentId }, 'a used-up limit of failed payments was not recorded');
  }
}
