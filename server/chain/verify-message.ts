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
import type { SignedMessage } from './types.ts';
import { isTransportFailure } from './node-errors.ts';

// Verifying a passkey's curve in Solidity takes 0.4 million gas, and deploying a wallet about the same. The limit stops
// a stranger's signature from using more of the node's time.
const GAS = 5_000_000n;

/**
 * Returns whether the address signed the message.
 *
 * A signature by the address's own key is verified without the node. Otherwise the contract at the address decides
 * (ERC-1271). An undeployed contract is simulated as the signature describes (ERC-6492).
 *
 * viem's own function is not used, because it reports an unreachable node as a wrong signature.
 *
 * @throws if the node is unreachable
 */
export async function verifyMessage(
  client: PublicClient,
  { address, message, signature }: SignedMessage,
): Promise<boolean> {
  const hash = hashMessage(message);
  if (await isSignedByKey(address, hash, signature)) return true;
  // The validator runs as the constructor of a contract that is never created, so it needs no address on the chain.
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
    // The call ran and reverted, so the signature is not valid.
    return false;
  }
}

async function isSignedByKey(address: string, hash: Hex, signature: string): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature: signature as Hex }), address as Hex);
  } catch {
    // The signature does not have 65 bytes, or is no point of the curve.
    return false;
  }
}
