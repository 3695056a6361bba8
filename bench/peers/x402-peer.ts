import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { x402Facilitator } from '@x402/core/facilitator';
import type { FacilitatorClient } from '@x402/core/server';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { Hono } from 'hono';
import {
  createPublicClient,
  createWalletClient,
  http,
  publicActions,
  type VerifyTypedDataActionParameters,
  type WriteContractParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { baseSepolia } from 'viem/chains';
import { networks } from '../../server/chain/networks.ts';
import { answerParent } from '../child.ts';

// The bare x402 server of the comparison, set up as its README says, without accounts, database, or ledger. The packages'
// facilitator runs in its process, with viem's wallet client behind one lane: without it, concurrent payments are lost.

const POLL_MS = 10;

type Wallet = Parameters<typeof toFacilitatorEvmSigner>[0];

const { rpcUrl, key, payTo } = JSON.parse(process.argv[2] ?? '{}') as {
  rpcUrl: string;
  key: `0x${string}`;
  payTo: string;
};
const network = networks['eip155:84532'];
const facilitator = new x402Facilitator().register(
  network.id,
  new FacilitatorScheme(toFacilitatorEvmSigner(createWallet())),
);
const client = {
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported(),
} as FacilitatorClient;
const app = new Hono();
app.use(
  paymentMiddleware(
    {
      'POST /paid': {
        accepts: { scheme: 'exact', price: '$0.25', network: network.id, payTo },
      },
    },
    new x402ResourceServer(client).register(network.id, new ExactEvmScheme()),
  ),
);
app.post('/paid', (c) => c.json({ ok: true }));
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });

answerParent(async (): Promise<{ port: number }> => ({ port: (server.address() as AddressInfo).port }));

/** Creates viem's standard clients behind one lane, because concurrent broadcasts lose payments. */
function createWallet(): Wallet {
  const account = privateKeyToAccount(key);
  const options = { chain: baseSepolia, transport: http(rpcUrl), pollingInterval: POLL_MS };
  const reader = createPublicClient(options);
  const wallet = createWalletClient({ ...options, account }).extend(publicActions);
  let lane: Promise<unknown> = Promise.resolve();
  const inLane = <T>(send: () => Promise<T>): Promise<T> => {
    const sent = lane.then(send);
    lane = sent.catch(() => {});
    return sent;
  };
  return {
    address: account.address,
    getCode: (args) => reader.getCode(args),
    readContract: (args) => reader.readContract(args),
    // The package passes on what it got as JSON; viem types it by its ABI and its EIP-712 types.
    verifyTypedData: (args) => reader.verifyTypedData(args as VerifyTypedDataActionParameters),
    writeContract: (args) => inLane(() => wallet.writeContract(args as WriteContractParameters)),
    sendTransaction: (args) => inLane(() => wallet.sendTransaction(args)),
    waitForTransactionReceipt: (args) => reader.waitForTransactionReceipt(args),
  };
}
