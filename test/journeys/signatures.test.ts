import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { x402HTTPClient } from '@x402/core/client';
import { decodePaymentResponseHeader } from '@x402/core/http';
import { x402Client } from '@x402/fetch';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { canonicalize } from 'json-canonicalize';
import { type Answer, call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import {
  brief,
  createIntent,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
  requestUpload,
  type UploadRequest,
} from '../support/clients/journey.ts';
import { termsOf } from '../support/clients/terms.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The signed offer of a 402 and the signed receipt after it, as unmodified clients and verifiers see them over HTTP. The
// package resolves did:web against the running service: it speaks http to 127.0.0.1.

const world = await sharedWorld();
const { url } = world;
const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
type Offered = { terms_hash?: string; terms_url?: string; amount: string; resourceUrl: string; validUntil: number };
type Received = { terms_hash?: string; terms_url?: string; transaction: string; payer: string; issuedAt: number };

/** Verifies with the package, which finds the key by itself, and with plain JOSE. Both must read the same. */
async function verifiedOffer(refusal: Answer): Promise<{ offer: JWSSignedOffer; payload: Offered }> {
  const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(
    (name) => refusal.headers.get(name),
    refusal.body,
  );
  const [offer] = extractOffersFromPaymentRequired(required) as [JWSSignedOffer];
  const payload = await verifyOfferSignatureJWS(offer);
  assert.deepEqual(payload, await plain(offer.signature));
  return { offer, payload };
}

async function verifiedReceipt(answer: Answer): Promise<{ receipt: JWSSignedReceipt; payload: Received }> {
  const receipt = extractReceiptFromResponse(new Response(null, { headers: answer.headers })) as JWSSignedReceipt;
  const payload = await verifyReceiptSignatureJWS(receipt);
  assert.deepEqual(payload, await plain(receipt.signature));
  return { receipt, payload };
}

const plain = async (jws: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await compactVerify(jws, keys)).payload));

const project = await openProject(world);

async function newRequest(of = project): Promise<{ request: UploadRequest; payer: Payer }> {
  const agent = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, agent.key, of.id);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  return { request: { key: agent.key, projectId: of.id, submissionId, sizeBytes: 1000 }, payer };
}

const termsAt = async (address: string): Promise<unknown> => {
  const answer = (await (await fetch(address)).json()) as { data: { terms: unknown } };
  return answer.data.terms;
};
const sha256 = (text = '') => hash('sha256', text);

describe('an entry fee', () => {
  it('has a signed offer before and a signed receipt after, which match and name the terms', async () => {
    const { request, payer } = await newRequest();
    const refusal = await requestUpload(url, request);
    const { payload: offered } = await verifiedOffer(refusal);
    const { terms_hash: terms } = await termsOf(url, project.id);
    assert.match(terms, /^sha256:[0-9a-f]{64}$/);
    const termsUrl = `${url}/api/v1/projects/${project.id}/terms`;
    assert.deepEqual([offered.terms_hash, offered.terms_url, offered.amount], [terms, termsUrl, '250000']);
    assert.equal(`sha256:${sha256(canonicalize(await termsAt(termsUrl)))}`, terms);
    const headers = await signPayment(payer, refusal);
    const paid = expectStatus(await requestUpload(url, { ...request, headers }), 200);
    const { receipt, payload: received } = await verifiedReceipt(paid);
    const settlement = decodePaymentResponseHeader(paid.headers.get('payment-response') ?? '');
    assert.deepEqual(
      [received.terms_hash, received.terms_url, received.payer, received.transaction],
      [terms, termsUrl, payer.address, settlement.transaction],
    );
    const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(
      (name) => refusal.headers.get(name),
      refusal.body,
    );
    const [decoded] = decodeSignedOffers(extractOffersFromPaymentRequired(required));
    assert.ok(decoded && verifyReceiptMatchesOffer(receipt, decoded, [payer.address]));
    // A v1 client reads only this header, whose form did not change.
    const v1 = decodePaymentResponseHeader(paid.headers.get('x-payment-response') ?? '');
    assert.deepEqual(Object.keys(v1).toSorted(), ['network', 'payer', 'success', 'transaction']);
  });
});

describe('a prize', () => {
  it('has a signed offer, and a signed receipt that names the terms which the payment froze', async () => {
    const poster = await registerPoster(url);
    const drafted = await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief({ prizeUsdc: 2 }) });
    const { id } = drafted.body.data.project as { id: string };
    const path = `/posters/me/projects/${id}/publish`;
    const refusal = await call(url, 'POST', path, { key: poster.key });
    const { payload: offered } = await verifiedOffer(refusal);
    assert.deepEqual([offered.amount, offered.resourceUrl], ['2000000', `${url}/api/v1${path}`]);
    // The draft can still change, so nobody has agreed to any terms.
    assert.deepEqual([offered.terms_hash, offered.terms_url], [undefined, undefined]);
    const payer = newPayer();
    await fund(url, payer.address, 2);
    const headers = await signPayment(payer, refusal);
    const paid = expectStatus(await call(url, 'POST', path, { key: poster.key, headers }), 200);
    const { payload: received } = await verifiedReceipt(paid);
    const { terms_hash: terms = '', terms_url: at = '' } = received;
    assert.deepEqual([received.payer, terms], [payer.address, (await termsOf(url, id)).terms_hash]);
    assert.equal(`sha256:${sha256(canonicalize(await termsAt(at)))}`, terms);
  });
});
