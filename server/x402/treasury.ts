import { getAddress, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { networkOf } from './quote.ts';
import { facilitatorPayment } from './presented-payment.ts';
import type { X402Payment } from '../ports/facilitator.ts';
import { SignedElsewhere, type OutgoingTransfer, type Treasury } from '../ports/payments/treasury.ts';
import type { PaymentQuote, PresentedPayment } from '../ports/payments/payments.ts';

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/**
 * The treasury as a process needs it: with its key if the process signs, else by its address alone. Returns null if the
 * address is not the key's, or if neither is given.
 */
export function treasuryFor(given: {
  key: `0x${string}` | null;
  address: string | undefined;
  signs: boolean;
}): Treasury | null {
  const signer = given.key === null ? null : createTreasury(given.key);
  const address = given.address ?? signer?.address;
  if (address === undefined || (signer && signer.address !== address)) return null;
  return given.signs ? signer : { address, authorize: () => Promise.reject(new SignedElsewhere()) };
}

/** The treasury's wallet: it signs authorizations, and the facilitator broadcasts them. */
export function createTreasury(key: `0x${string}`): Treasury {
  const { address, sign } = createTransferSigner(key);
  return { address, authorize: async (transfer) => signedTransfer(address, transfer, await sign(transfer)) };
}

/** The content of an EIP-3009 authorization. */
type AuthorizedTransfer = Pick<
  OutgoingTransfer,
  'network' | 'asset' | 'recipient' | 'amountMicro' | 'nonce' | 'validBefore'
>;

/** The treasury's key. The caller has checked the transfer. */
export type TransferSigner = {
  /** Lower case. */
  address: string;
  sign(transfer: AuthorizedTransfer): Promise<`0x${string}`>;
};

export function createTransferSigner(key: `0x${string}`): TransferSigner {
  const account = privateKeyToAccount(key);
  return {
    address: account.address.toLowerCase(),
    sign: (transfer) => account.signTypedData(typedData(account.address, transfer)),
  };
}

/** Returns whether `address` signed this transfer. */
export async function isSignedBy(address: string, transfer: AuthorizedTransfer, signature: string): Promise<boolean> {
  const recovered = await recoverTypedDataAddress({
    ...typedData(address as `0x${string}`, transfer),
    signature: signature as `0x${string}`,
  }).catch(() => null);
  return recovered?.toLowerCase() === address;
}

/** Returns the transfer as the facilitator takes it. */
export function signedTransfer(from: string, transfer: OutgoingTransfer, signature: string): X402Payment {
  const { recipient, amountMicro, nonce, validBefore } = transfer;
  const presented: PresentedPayment = {
    x402Version: 2,
    scheme: 'exact',
    network: networkOf(transfer).id,
    accepted: null,
    authorization: {
      from: getAddress(from),
      to: recipient,
      value: String(amountMicro),
      validAfter: '0',
      validBefore: String(validBefore),
      nonce,
    },
    signature,
  };
  return facilitatorPayment(quoteOf(transfer), presented);
}

function typedData(from: `0x${string}`, transfer: AuthorizedTransfer) {
  const network = networkOf(transfer);
  return {
    domain: {
      name: network.usdc.name,
      version: network.usdc.version,
      chainId: network.chainId,
      verifyingContract: transfer.asset as `0x${string}`,
    },
    types,
    primaryType: 'TransferWithAuthorization' as const,
    message: {
      from,
      to: transfer.recipient as `0x${string}`,
      value: BigInt(transfer.amountMicro),
      validAfter: 0n,
      validBefore: BigInt(transfer.validBefore),
      nonce: transfer.nonce as `0x${string}`,
    },
  };
}

/** The transfer as an x402 quote, which the facilitator settles. */
function quoteOf({ kind, subjectId, network, asset, recipient, amountMicro }: OutgoingTransfer): PaymentQuote {
  return {
    kind,
    subjectId,
    network,
    asset,
    payTo: recipient,
    amountMicro,
    resourceUrl: `urn:uuid:${subjectId}`,
    description: `${kind === 'payout' ? 'Payout' : 'Refund'} ${subjectId}`,
  };
}
