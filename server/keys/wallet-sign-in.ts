import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { messageProblem, nonceOf, type WalletMessage } from './wallet-message.ts';

/** A signed challenge, the lookup of stored challenges, and the path that returns new ones. */
export type SignedChallenge = {
  message: string;
  signature: string;
  find: (nonce: string) => Promise<WalletMessage | null>;
  path: string;
};

/**
 * Returns the stored challenge if the signature is right. The caller uses it up in the transaction that starts the
 * session. A wrong signature does not use it up. The error for an unknown challenge reveals nothing about it.
 *
 * A contract wallet is verified over the network, so call this outside of transactions.
 *
 * @throws DomainError VALIDATION_ERROR or WALLET_CHALLENGE_INVALID
 */
export async function requireSignedChallenge(
  deps: Pick<Deps, 'clock' | 'publicUrl' | 'network' | 'chain'>,
  { message, signature, find, path }: SignedChallenge,
): Promise<WalletMessage> {
  const nonce = nonceOf(message);
  if (nonce === null) throw validationError([{ field: 'message', message: `must be a message from POST ${path}` }]);
  const challenge = await find(nonce);
  if (!challenge || challenge.message !== message) throw unknownChallenge(path);
  const problem = messageProblem(deps, message);
  if (problem !== null) throw invalidChallenge(`${problem} Request a new one: POST ${path}.`);
  const { address } = challenge;
  if (!(await deps.chain.verifyMessage({ address, message, signature }))) {
    throw invalidChallenge(`The signature is not valid for this message and the wallet ${address}.`);
  }
  return challenge;
}

/** Unknown and used challenges give the same error. */
export function unknownChallenge(path: string): DomainError {
  return invalidChallenge(`This challenge is unknown or was already used. Request a new one: POST ${path}.`);
}

function invalidChallenge(message: string): DomainError {
  return new DomainError('WALLET_CHALLENGE_INVALID', message);
}
