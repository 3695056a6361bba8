import { AsyncLocalStorage } from 'node:async_hooks';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import type { Db } from '../context.ts';
import { createLaneSigner, type Hex } from './lane-signer.ts';
import { FacilitatorUnavailable, v2Typed, type Facilitator, type Settlement } from './facilitator.ts';
import { isTransportFailure } from './evm-chain.ts';
import type { Network } from './networks.ts';

export type InProcessFacilitatorOptions = {
  rpcUrl: string;
  network: Network;
  /** Holds gas and no USDC. */
  key: Hex;
  db: Db;
  /** Names this process among those that share the key. */
  holder: string;
  /** How often a receipt is asked for: 10 ms on a local chain, half a block on a real one. */
  pollMs: number;
  /** How long a settlement waits for its receipt before it answers `settlement_pending`. */
  confirmationTimeoutMs?: number;
};

/** A fault of the node during one verify or settle: the library reports it as an invalid signature or the like. */
type Faults = { first: unknown };

/**
 * The public facilitator code over our own signer. Never exposed to the network: it pays the gas of whatever it is
 * given.
 */
export function createInProcessFacilitator(options: InProcessFacilitatorOptions): Facilitator {
  const { network } = options;
  const faults = new AsyncLocalStorage<Faults>();
  const signer = toFacilitatorEvmSigner(
    createLaneSigner({
      ...options,
      onFailure(error) {
        const current = faults.getStore();
        if (current && isTransportFailure(error)) current.first ??= error;
      },
    }),
    { confirmationTimeoutMs: options.confirmationTimeoutMs ?? 20_000 },
  );
  const facilitator = new x402Facilitator()
    .register(network.id, new ExactEvmScheme(signer))
    // One name: a pattern of several would match any.
    .registerV1([network.v1Name as Network['id']], new ExactEvmSchemeV1(signer));

  async function watched<T>(call: () => Promise<T>, isRefusal: (answer: T) => boolean): Promise<T> {
    const current: Faults = { first: null };
    const answer = await faults.run(current, call);
    // Without the node the answer means nothing: it must neither look like a bad payment nor like a sure refusal.
    if (isRefusal(answer) && current.first !== null) throw new FacilitatorUnavailable(current.first);
    return answer;
  }

  return {
    verify: (payment) => watched(() => facilitator.verify(...v2Typed(payment)), (answer) => !answer.isValid),
    async settle(payment) {
      const answer = await watched(
        () => facilitator.settle(...v2Typed(payment)),
        // A named transaction can be looked up, whatever else went wrong.
        (settlement) => !settlement.success && settlement.transaction === '',
      );
      return payment.x402Version === 1 ? withReasonCode(answer) : answer;
    },
    async check() {},
  };
}

/** The v1 scheme passes on the text of whatever it caught; the v2 scheme turns the same texts into these codes. */
function withReasonCode(settlement: Settlement): Settlement {
  const reason = settlement.errorReason ?? '';
  if (settlement.success || settlement.transaction !== '' || /^[a-z0-9_]+$/.test(reason)) return settlement;
  const found = REASONS.find(([pattern]) => pattern.test(reason));
  return { ...settlement, errorReason: found?.[1] ?? 'invalid_exact_evm_transaction_failed' };
}

const REASONS: [RegExp, string][] = [
  [/authorization is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/authorization is not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/authorization is used/i, 'invalid_exact_evm_nonce_already_used'],
  [/exceeds balance|insufficient.*balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/invalid signature/i, 'invalid_exact_evm_signature'],
];
