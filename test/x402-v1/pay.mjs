// One paid request by the unmodified x402 v1 client. Standard input: {privateKey, url, method, headers, body}; output:
// the answer.
import { text } from 'node:stream/consumers';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch';

const { privateKey, url, method, headers, body } = JSON.parse(await text(process.stdin));
const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), transport: http(), chain: baseSepolia });
const pay = wrapFetchWithPayment(fetch, wallet, 1_000_000n);
const response = await pay(url, { method, headers, ...(body === undefined ? {} : { body }) });
const receipt = response.headers.get('x-payment-response');
console.log(
  JSON.stringify({
    status: response.status,
    body: await response.json(),
    receipt: receipt === null ? null : decodeXPaymentResponse(receipt),
  }),
);
