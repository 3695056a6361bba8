import { generateKeyPairSync, randomUUIDv7, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { FacilitatorClient } from '@x402/core/server';
import type { VerifyResponse } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import {
  createJWSOfferReceiptIssuer,
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
  type JWSSigner,
} from '@x402/extensions/offer-receipt';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { Hono } from 'hono';
import { createPool } from '../../server/db/pool.ts';
import { createLaneSigner } from '../../server/x402/lane-signer.ts';
import { networks } from '../../server/chain/networks.ts';
import { answerParent } from '../child.ts';
import { createPlainFacilitator, createPlainWallet } from './plain-facilitator.ts';

// The plain x402 server of the comparison, set up as its README says, without accounts, database, or ledger. The
// packages' facilitator runs in its process. Its wallet is `own` (the service's code) or `plain` (viem's wallet client
// behind one lane). Without the lane, concurrent payments are lost. Each wallet has its own key.

export type X402PeerSettings = {
  databaseUrl: string;
  rpcUrl: string;
  key: `0x${string}`;
  payTo: string;
  wallet: 'own' | 'plain';
};

const settings = JSON.parse(process.argv[2] ?? '{}') as X402PeerSettings;
const { databaseUrl, rpcUrl, key, payTo } = settings;
const network = networks['eip155:84532'];
const wallet =
  settings.wallet === 'plain'
    ? createPlainWallet({ rpcUrl, key })
    : createLaneSigner({
        rpcUrl,
        network,
        keys: [key],
        batchSize: 1,
        batchWindowMs: 0,
        log: { error() {}, warn() {} },
        db: createPool({ url: databaseUrl, connections: 2 }),
        holder: randomUUIDv7(),
        pollMs: 10,
        maxGas: () => 300_000n,
        mayShare: () => false,
        beforeBroadcast: () => null,
        onFailure() {},
        onSent() {},
      });
const facilitator = createPlainFacilitator(wallet, network.id);
const client: FacilitatorClient = {
  verify: async (payload, requirements) =>
    (await facilitator.verify({ x402Version: 2, payload, requirements })) as VerifyResponse,
  async settle(payload, requirements) {
    const { success, transaction } = await facilitator.settle({ x402Version: 2, payload, requirements });
    return { success, transaction, network: network.id };
  },
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: 'exact', network: network.id }],
    extensions: [],
    signers: {},
  }),
};
// The service signs offers and receipts too.
const { privateKey } = generateKeyPairSync('ed25519');
const kid = 'did:web:127.0.0.1#key-1';
const signer: JWSSigner = {
  kid,
  format: 'jws',
  algorithm: 'EdDSA',
  sign: async (bytes) => sign(null, bytes, privateKey).toString('base64url'),
};
const app = new Hono();
app.use(
  paymentMiddleware(
    {
      'POST /paid': {
        accepts: { scheme: 'exact', price: '$0.25', network: network.id, payTo },
        extensions: declareOfferReceiptExtension({ includeTxHash: true }),
      },
    },
    new x402ResourceServer(client)
      .register(network.id, new ExactEvmScheme())
      .registerExtension(createOfferReceiptExtension(createJWSOfferReceiptIssuer(kid, signer))),
  ),
);
app.post('/paid', (c) => c.json({ ok: true }));
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });

answerParent(async (): Promise<{ port: number }> => ({ port: (server.address() as AddressInfo).port }));
