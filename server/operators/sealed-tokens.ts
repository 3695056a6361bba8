import type { Deps } from '../deps.ts';
import type { ProviderTokens } from './types.ts';

type Seals = Pick<Deps, 'answerSeals'>;

const sealOf = ({ answerSeals }: Seals, sessionId: string) => answerSeals.of('session of an operator', sessionId);

/** Encrypts the provider's tokens for the row of their session. */
export function sealTokens(deps: Seals, sessionId: string, tokens: ProviderTokens): Buffer {
  return sealOf(deps, sessionId).seal(JSON.stringify(tokens));
}

/** Returns no tokens for a session without any, or if SECRETS_KEY has changed. */
export function openTokens(deps: Seals, sessionId: string, sealed: Buffer | null): ProviderTokens {
  const none = { refresh: null, id: null };
  try {
    return sealed === null ? none : (JSON.parse(sealOf(deps, sessionId).open(sealed)) as ProviderTokens);
  } catch {
    return none;
  }
}
