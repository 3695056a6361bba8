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
  const seal = sealOf(deps, sessionId);
  for (const each of sealed === null ? [] : [seal, ...(seal.others ?? [])])
    try {
      return JSON.parse(each.open(sealed as Buffer)) as ProviderTokens;
    } catch {
      // Another key may open it.
    }
  return { refresh: null, id: null };
}
