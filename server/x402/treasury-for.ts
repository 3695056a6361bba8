import type { Hex } from 'viem';
import { SignedElsewhere, type Treasury } from './types.ts';
import { createRemoteTreasury } from './remote-treasury.ts';
import { createTreasury } from './treasury.ts';

/**
 * The treasury as a process needs it: with its key or its signer if the process signs, else by its address alone. Returns
 * null if the address is not the key's, or is not known.
 */
export function treasuryFor(given: {
  key: Hex | null;
  signerUrl: string | undefined;
  address: string | undefined;
  signs: boolean;
}): Treasury | null {
  const local = given.key === null ? null : createTreasury(given.key);
  const address = given.address ?? local?.address;
  if (address === undefined || (local && local.address !== address)) return null;
  if (!given.signs) return { address, authorize: () => Promise.reject(new SignedElsewhere()) };
  return given.signerUrl === undefined ? local : createRemoteTreasury({ url: given.signerUrl, address });
}
