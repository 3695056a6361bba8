import { HTTPFacilitatorClient } from '@x402/core/http';
import { SettleError, VerifyError } from '@x402/core/types';
import { FacilitatorUnavailable, v2Typed, type Facilitator } from '../ports/facilitator.ts';
import { sideBySide } from './side-by-side.ts';
import type { Network } from '../ports/chain.ts';

// A thousand agents at once, or as many payouts, must not look like an attack to somebody's facilitator. A verification
// never waits behind settlements, which take seconds.
const MOST_REQUESTS = 32;

/** A facilitator over HTTP, with a time limit on each request. The caller checks its settlements against the chain. */
export function createRemoteFacilitator(options: { url: string; network: Network; timeoutMs?: number }): Facilitator {
  const client = new HTTPFacilitatorClient({ url: options.url, timeoutMs: options.timeoutMs ?? 10_000 });
  const verifying = sideBySide(MOST_REQUESTS);
  const settling = sideBySide(MOST_REQUESTS);
  return {
    async verify(payment) {
      try {
        const { isValid, invalidReason } = await verifying(() => client.verify(...v2Typed(payment)));
        return { isValid, invalidReason };
      } catch (error) {
        // Many facilitators send a refusal with status 400. A 5xx status is a fault of the facilitator.
        if (error instanceof VerifyError && error.statusCode < 500) {
          return { isValid: false, invalidReason: error.invalidReason };
        }
        throw new FacilitatorUnavailable(error);
      }
    },
    async settle(payment) {
      try {
        const { success, errorReason, transaction } = await settling(() => client.settle(...v2Typed(payment)));
        // No other field of a foreign server's answer is passed on. A `proof` above all must come from our own node.
        return { success, errorReason, transaction };
      } catch (error) {
        if (error instanceof SettleError && error.statusCode < 500) {
          return { success: false, errorReason: error.errorReason, transaction: error.transaction ?? '' };
        }
        throw new FacilitatorUnavailable(error);
      }
    },
    async check() {
      const { kinds } = await client.getSupported().catch((error: unknown) => {
        throw new FacilitatorUnavailable(error);
      });
      const serves = (version: number, network: string) =>
        kinds.some(
          (kind) =>
            kind.x402Version === version && kind.scheme === 'exact' && (kind.network satisfies string) === network,
        );
      const { id, v1Name } = options.network;
      if (!serves(2, id)) throw new Error(`the facilitator does not serve x402 v2, scheme exact, on ${id}`);
      if (!serves(1, v1Name)) throw new Error(`the facilitator does not serve x402 v1, scheme exact, on ${v1Name}`);
    },
  };
}
