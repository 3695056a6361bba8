// One paid request by an unmodified client. Standard input: {client, privateKey, rpcUrl, url, headers, body}; output: the
// status, the body, and whether the receipt was read.
import { text } from 'node:stream/consumers';
import { wrapFetch, getPaymentReceipt } from '@dexterai/x402/client';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import axios from 'axios';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import { withPaymentInterceptor } from 'x402-axios';

const NETWORK = 'eip155:84532';

async function withAxios(api, { url, headers, body }) {
  const { status, data, headers: answered } = await api.post(url, body, { headers });
  return { status, body: data, receipt: answered['payment-response'] ?? answered['x-payment-response'] };
}

const clients = {
  '@x402/axios': async (request) => {
    const scheme = { network: NETWORK, client: new ExactEvmScheme(privateKeyToAccount(request.privateKey)) };
    return await withAxios(wrapAxiosWithPaymentFromConfig(axios.create(), { schemes: [scheme] }), request);
  },
  'x402-axios': async (request) => {
    const account = privateKeyToAccount(request.privateKey);
    const wallet = createWalletClient({ account, transport: http(), chain: baseSepolia });
    return await withAxios(withPaymentInterceptor(axios.create(), wallet), request);
  },
  '@dexterai/x402': async ({ privateKey, rpcUrl, url, headers, body }) => {
    const pay = wrapFetch(fetch, {
      evmPrivateKey: privateKey,
      preferredNetwork: NETWORK,
      rpcUrls: { [NETWORK]: rpcUrl },
      maxAmountAtomic: '1000000',
    });
    const response = await pay(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json(), receipt: getPaymentReceipt(response) };
  },
};

const request = JSON.parse(await text(process.stdin));
const { status, body, receipt } = await clients[request.client](request);
console.log(JSON.stringify({ status, body, hasReceipt: Boolean(receipt) }));
