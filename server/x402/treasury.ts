import { getAddress, recoverTypedDataAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { networkOf } from './quote.ts';
import { facilitatorPayment } from './presented-payment.ts';
import type { X402Payment, OutgoingTransfer, Treasury } from './types.ts';
import type { PaymentQuote, PresentedPayment } from '../payments/types.ts';

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

/** The treasury's wallet: it signs authorizations, and the facilitator broadcasts them. */
export function createTreasury(key: Hex): Treasury {
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase();
  return {
    address,
    authorize: async (transfer) =>
      signedTransfer(address, transfer, await account.signTypedData(typedDataOf(address, transfer))),
  };
}

/** Returns whether `address` signed this transfer. @throws Error for a malformed signature */
export async function isSignedBy(address: string, transfer: OutgoingTransfer, signature: Hex): Promise<boolean> {
  const recovered = await recoverTypedDataAddress({ ...typedDataOf(address, transfer), signature });
  return recovered.toLowerCase() === address;
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

/** The content of the EIP-3009 authorization, as EIP-712 describes it. */
export function typedDataOf(from: string, transfer: OutgoingTransfer) {
  const network = networkOf(transfer);
  return {
    domain: {
      name: network.usdc.name,
      version: network.usdc.version,
      chainId: network.chainId,
      verifyingContract: transfer.asset as Hex,
    },
    types,
    primaryType: 'TransferWithAuthorization' as const,
    message: {
      from: from as Hex,
      to: transfer.recipient as Hex,
      value: BigInt(transfer.amountMicro),
      validAfter: 0n,
      validBefore: BigInt(transfer.validBefore),
      nonce: transfer.nonce as Hex,
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
