import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  isAddressEqual,
  recoverAddress,
  type Hex,
  type PublicClient,
} from 'viem';
import type { SignedMessage } from '../ports/chain.ts';
import { isTransportFailure } from './node-errors.ts';

// A passkey's curve in Solidity takes 0.4 million, a wallet's deployment as much again; the rest of a node's time is not a stranger's.
const GAS = 5_000_000n;

/**
 * Whether the message was signed for this address: by its key, which asks nobody, or else as the contract there says
 * (ERC-1271), deployed as the signature says where it is not yet (ERC-6492). viem's own takes a node that is gone for a
 * signature that is wrong.
 */
export async function verifyMessage(
  client: PublicClient,
  { address, message, signature }: SignedMessage,
): Promise<boolean> {
  const hash = hashMessage(message);
  if (await isSignedByKey(address, hash, signature)) return true;
  // The validator is the code of a contract that is never made: no address of it has to be known on the chain.
  const validator = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [address as Hex, hash, signature as Hex],
    bytecode: erc6492SignatureValidatorByteCode,
  });
  try {
    const { data } = await client.call({ data: validator, gas: GAS });
    return data !== undefined && BigInt(data) === 1n;
  } catch (error) {
    if (isTransportFailure(error)) throw error;
    // It ran, and something in it reverted.
    return false;
  }
}

async function isSignedByKey(address: string, hash: Hex, signature: string): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature: signature as Hex }), address as Hex);
  } catch {
    // Not 65 bytes, or no point of the curve.
    return false;
  }
}
