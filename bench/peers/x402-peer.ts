import { generateKeyPairSync, sign } from 'node:crypto';
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
import { networks } from '../../server/chain/networks.ts';
import { answerParent } from '../child.ts';
import { createPlainFacilitator, createPlainWallet } from './plain-facilitator.ts';

// The bare x402 server of the comparison, set up as its README says, without accounts, database, or ledger. The packages'
// facilitator runs in its process, with viem's wallet client behind one lane: without it, concurrent payments are lost.

export type X402PeerSettings = {
  rpcUrl: string;
  key: `0x${string}`;
  payTo: string;
};

const settings = JSON.parse(process.argv[2] ?? '{}') as X402PeerSettings;
const { rpcUrl, key, payTo } = settings;
const network = networks['eip155:84532'];
const facilitator = createPlainFacilitator(createPlainWallet({ rpcUrl, key }), network.id);
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
