import { HTTPFacilitatorClient } from '@x402/core/http';
import { SettleError, VerifyError } from '@x402/core/types';
import { FacilitatorDenied, FacilitatorUnavailable, v2Typed, type Facilitator } from './types.ts';
import { createAuthHeaders, type FacilitatorAuth } from './facilitator-auth.ts';
import { asVersion, worthlessPayment } from './payment-versions.ts';
import type { Network } from '../chain/types.ts';
import { Turns } from '../turns.ts';

// A thousand agents at once, or as many payouts, must not look like an attack to somebody's facilitator. A verification
// never waits behind settlements, which take seconds.
const MOST_REQUESTS = 32;
/** They say nothing about the payment: who asks, when, and how often. */
const ABOUT_THE_ASKER = new Set([401, 403, 408, 429]);

type RemoteOptions = { url: string; network: Network; auth?: FacilitatorAuth | undefined; timeoutMs?: number };

/** A facilitator over HTTP, with a time limit on each request. The caller checks its settlements against the chain. */
export function createRemoteFacilitator({ url, network, auth, timeoutMs = 10_000 }: RemoteOptions): Facilitator {
  const client = new HTTPFacilitatorClient({
    url,
    timeoutMs,
    ...(auth ? { createAuthHeaders: createAuthHeaders(auth, url) } : {}),
  });
  const turns = new Turns(MOST_REQUESTS);
  let served: readonly (1 | 2)[] = [2, 1];
  let isAdmitted = false;
  // Whatever the version, the payer has signed the same authorization. So a client of either version can pay.
  const typed = (payment: Parameters<Facilitator['verify']>[0]) => {
    const version = served.includes(payment.x402Version) ? payment.x402Version : (served[0] ?? 2);
    return v2Typed(asVersion(payment, version, network));
  };
  const failure = (error: unknown): FacilitatorUnavailable => {
    const status = statusOf(error);
    if (status !== 401 && status !== 403) return new FacilitatorUnavailable(error);
    isAdmitted = false;
    return new FacilitatorDenied(status, error);
  };
  const verify: Facilitator['verify'] = async (payment) => {
    const { isValid, invalidReason } = await turns
      .run('verify', () => client.verify(...typed(payment)))
      .catch((error: unknown) => {
        // Many facilitators send a refusal with status 400. A 5xx status is a fault of the facilitator.
        if (!(error instanceof VerifyError && isRefusal(error))) throw failure(error);
        return { isValid: false, invalidReason: error.invalidReason };
      });
    // `unexpected_verify_error`: it could not find out.
    if (invalidReason?.startsWith('unexpected_')) throw new FacilitatorUnavailable(new Error(invalidReason));
    return { isValid, invalidReason };
  };
  /** Calls a path that needs the credentials: `/supported` is often open. What it says of the payment does not matter. */
  async function requireAdmission(): Promise<void> {
    if (isAdmitted) return;
    await verify(worthlessPayment(network)).catch((error: unknown) => {
      if (error instanceof FacilitatorDenied) throw error;
    });
    isAdmitted = true;
  }
  return {
    verify,
    async settle(payment) {
      try {
        const { success, errorReason, transaction } = await turns.run('settle', () => client.settle(...typed(payment)));
        // No other field of a foreign server's answer is passed on. A `proof` above all must come from our own node.
        return { success, errorReason, transaction };
      } catch (error) {
        if (error instanceof SettleError && isRefusal(error)) {
          return { success: false, errorReason: error.errorReason, transaction: error.transaction ?? '' };
        }
        throw failure(error);
      }
    },
    async check() {
      const { kinds } = await client.getSupported().catch((error: unknown) => {
        throw failure(error);
      });
      const serves = (version: number, name: string) =>
        kinds.some(
          (kind) => kind.x402Version === version && kind.scheme === 'exact' && (kind.network satisfies string) === name,
        );
      const { id, v1Name } = network;
      served = [...(serves(2, id) ? [2 as const] : []), ...(serves(1, v1Name) ? [1 as const] : [])];
      if (served.length === 0) throw new Error(`the facilitator does not serve x402, scheme exact, on ${id}`);
      await requireAdmission();
    },
  };
}

function isRefusal({ statusCode }: { statusCode: number }): boolean {
  return statusCode < 500 && !ABOUT_THE_ASKER.has(statusCode);
}

/** The client reports the status of some answers in its text alone. */
function statusOf(error: unknown): number | null {
  if (error instanceof VerifyError || error instanceof SettleError) return error.statusCode;
  const [, status] = (error instanceof Error && /failed \((\d{3})\)/.exec(error.message)) || [];
  return status === undefined ? null : Number(status);
}
