// The script of a page that pays: the official client of x402 with a key of its own.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

globalThis.pay = async ({ privateKey, url, headers, body }) => {
  const scheme = { network: 'eip155:*', client: new ExactEvmScheme(privateKeyToAccount(privateKey)) };
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes: [scheme] });
  const response = await pay(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response'));
  return { status: response.status, body: await response.json(), hasReceipt: receipt.success };
};
