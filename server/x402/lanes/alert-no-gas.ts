import { alertOperator } from '../../events/public.ts';
import type { Deps } from '../../deps.ts';

/** Tells the operator that a facilitator key cannot pay for gas, once a UTC day for each key. The log has it each time. */
export function alertNoGas(deps: Pick<Deps, 'db' | 'clock' | 'log'>, address: string): void {
  void alertOperator(deps, {
    alert: 'facilitator_key_without_gas',
    subject: `facilitator_key:${address.toLowerCase()}`,
    message: 'A facilitator key cannot pay the gas of a transaction. Send it ETH.',
    details: { address },
  });
}
