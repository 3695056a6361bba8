import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { operations } from '../contract/operations.ts';
import { type Api, DemoError } from './api.ts';

export type Wallet = {
  address: string;
  /** A fetch that answers a 402 with a signed payment of at most this many dollars. */
  paying(capUsd: number): typeof fetch;
};

/** Creates a wallet with a new key. A wallet serves one agent, so every run needs new ones. */
export function createWallet(): Wallet {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address,
    paying: (capUsd) =>
      // The public client refuses payments above $1 unless its user raises the limit.
      wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
        spendControls: { maxAmountPerPayment: `$${capUsd}` },
      }) as typeof fetch,
  };
}

export async function fund(api: Api, wallet: Wallet, usdc: number): Promise<void> {
  await api.call(operations.mintTestUsdc, { body: { address: wallet.address, amount_usdc: usdc } });
}

/** Returns the transaction hash of a settled payment from its answer. */
export function transactionOf(headers: Headers): string {
  const header = headers.get('payment-response');
  if (!header) throw new DemoError('The answer to a paid request carried no PAYMENT-RESPONSE header.');
  return decodePaymentResponseHeader(header).transaction;
}
