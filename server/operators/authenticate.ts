import { hash, timingSafeEqual } from 'node:crypto';
import { operatorScopes } from '../../contract/basics/operator-scope.ts';
import type { Deps } from '../deps.ts';
import { createKeyCache, keyPrefix } from '../keys/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { findOperatorWithKey, hasAdmin } from './queries.ts';

export type OperatorAuthenticator = {
  /** Finds the operator of a key; null if the key is malformed, unknown, wrong, revoked, expired, or of another network. */
  authenticate(text: string): Promise<OperatorCaller | null>;
};

/**
 * Creates the authenticator; a process needs one. OPERATOR_KEY holds every scope until a named `admin` exists, and none
 * afterwards. In a development start it always holds them. A database failure is thrown.
 */
export function createOperatorAuthenticator(
  { reads, clock, network, config }: Pick<Deps, 'reads' | 'clock' | 'network' | 'config'>,
  operatorKey: string,
): OperatorAuthenticator {
  const prefix = keyPrefix('operator', network.testnet);
  const cache = createKeyCache<OperatorCaller>({ clock, prefix }, (keyId) => findOperatorWithKey(reads, { keyId }));
  const operatorHash = sha256(operatorKey);
  return {
    async authenticate(text) {
      if (!timingSafeEqual(sha256(text), operatorHash)) return await cache.find(text);
      return await sharedCaller({ reads, clock, config });
    },
  };
}

/** Returns the caller of OPERATOR_KEY, with the scopes that it has now. */
export async function sharedCaller({
  reads,
  clock,
  config,
}: Pick<Deps, 'reads' | 'clock' | 'config'>): Promise<OperatorCaller> {
  const isOpen = config.development || !(await hasAdmin(reads, clock.now()));
  return { kind: 'operator', operatorId: null, name: null, scopes: isOpen ? operatorScopes : [] };
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
