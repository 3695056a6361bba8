import { serve } from '@hono/node-server';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { Hono } from 'hono';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';

// A facilitator in a separate process that shares no code with the service. It serves the public packages over HTTP.
// Arguments: RPC URL, private key, and port (default: a free port). Prints the port.
const [rpcUrl = '', key = '', wantedPort = '0'] = process.argv.slice(2);
const client = createWalletClient({
  account: privateKeyToAccount(key as `0x${string}`),
  chain: baseSepolia,
  transport: http(rpcUrl),
  pollingInterval: 20,
}).extend(publicActions);

// Broadcasts run one at a time. Concurrent broadcasts would take the same account nonce.
let lane: Promise<unknown> = Promise.resolve();
function inLane<T>(work: () => Promise<T>): Promise<T> {
  const result = lane.then(work);
  lane = result.catch(() => {});
  return result;
}

const signer = toFacilitatorEvmSigner({
  ...client,
  address: client.account.address,
  getCode: (query) => client.getCode(query),
  readContract: (query) => client.readContract(query),
  verifyTypedData: (query) => client.verifyTypedData(query as never),
  writeContract: (query) => inLane(() => client.writeContract(query as never)),
  sendTransaction: (query) => inLane(() => client.sendTransaction(query as never)),
  waitForTransactionReceipt: (query) => client.waitForTransactionReceipt(query),
});
// The package types v1 networks as CAIP-2 names. On the wire they are plain names.
const v1Name = 'base-sepolia' as string as `${string}:${string}`;
const facilitator = new x402Facilitator()
  .register('eip155:84532', new ExactEvmScheme(signer))
  .registerV1([v1Name], new ExactEvmSchemeV1(signer));

const app = new Hono();
app.get('/supported', (c) => c.json(facilitator.getSupported()));
for (const verb of ['verify', 'settle'] as const) {
  app.post(`/${verb}`, async (c) => {
    const { paymentPayload, paymentRequirements } = await c.req.json<{
      paymentPayload: never;
      paymentRequirements: never;
    }>();
    return c.json(await facilitator[verb](paymentPayload, paymentRequirements));
  });
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(wantedPort) }, ({ port }) => console.log(port));
// The test that started this process has ended.
process.once('disconnect', () => process.exit());
