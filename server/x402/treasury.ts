import { privateKeyToAccount } from 'viem/accounts';
import type { X402Payment } from '../ports/facilitator.ts';
import { networkOf, type OutgoingKind, type PaymentQuote } from './quote.ts';
import { facilitatorPayment, type PresentedPayment } from './presented-payment.ts';

/** A transfer out of the treasury that a row approves: exactly this amount to exactly this address. */
export type OutgoingTransfer = {
  kind: OutgoingKind;
  /** The payout. */
  subjectId: string;
  network: string;
  asset: string;
  recipient: string;
  amountMicro: number;
  /** Follows from what is paid, so that the token contract refuses to pay it twice. */
  nonce: string;
  /** Unix seconds. */
  validBefore: number;
};

/**
 * The treasury's key. It holds USDC and signs EIP-3009 authorizations; broadcasting them, and the gas for that, is the
 * facilitator's.
 */
export type Treasury = {
  /** Lower case. */
  address: string;
  /** Signs one transfer of a row that is claimed in the same breath; nothing else may ask for a signature. */
  authorize(transfer: OutgoingTransfer): Promise<X402Payment>;
};

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

export function createTreasury(key: `0x${string}`): Treasury {
  const account = privateKeyToAccount(key);
  return {
    address: account.address.toLowerCase(),
    async authorize(transfer) {
      const { asset, recipient, amountMicro, nonce, validBefore } = transfer;
      const network = networkOf(transfer);
      const signature = await account.signTypedData({
        domain: {
          name: network.usdc.name,
          version: network.usdc.version,
          chainId: network.chainId,
          verifyingContract: asset as `0x${string}`,
        },
        types,
        primaryType: 'TransferWithAuthorization',
        message: {
          from: account.address,
          to: recipient as `0x${string}`,
          value: BigInt(amountMicro),
          validAfter: 0n,
          validBefore: BigInt(validBefore),
          nonce: nonce as `0x${string}`,
        },
      });
      const presented: PresentedPayment = {
        x402Version: 2,
        scheme: 'exact',
        network: network.id,
        accepted: null,
        authorization: {
          from: account.address,
          to: recipient,
          value: String(amountMicro),
          validAfter: '0',
          validBefore: String(validBefore),
          nonce,
        },
        signature,
      };
      return facilitatorPayment(quoteOf(transfer), presented);
    },
  };
}

/** The transfer in the words of x402, as the facilitator is asked to settle it. */
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
