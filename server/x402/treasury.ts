import { privateKeyToAccount } from 'viem/accounts';
import { networkOf } from './quote.ts';
import { facilitatorPayment } from './presented-payment.ts';
import { SignedElsewhere, type OutgoingTransfer, type Treasury } from '../ports/treasury.ts';
import type { PaymentQuote, PresentedPayment } from '../ports/payments.ts';

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
