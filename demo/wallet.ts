import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { operations } from '../contract/operations.ts';
import { type Api, DemoError } from './api.ts';

export type Wallet = {
  address: string;
  /** fetch that answers a 402 with a signed payment of at most this many dollars. */
  paying(capUsd: number): typeof fetch;
};

/** A new key: a wallet serves one agent, so that every run needs its own. */
export function createWallet(): Wallet {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address,
    paying: (capUsd) =>
      // The public client as it comes: it refuses more than $1 a payment unless its user raises the cap.
      wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
        spendControls: { maxAmountPerPayment: `$${capUsd}` },
      }) as typeof fetch,
  };
}

export async function fund(api: Api, wallet: Wallet, usdc: number): Promise<void> {
  await api.call(operations.mintTestUsdc, { body: { address: wallet.address, amount_usdc: usdc } });
}

/** The transaction that a settled payment names in its answer. */
export function transactionOf(headers: Headers): string {
  const header = headers.get('payment-response');
  if (!header) throw new DemoError('The answer to a paid request carried no PAYMENT-RESPONSE header.');
  return decodePaymentResponseHeader(header).transaction;
}
