import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { x402HTTPClient } from '@x402/core/client';
import { decodePaymentResponseHeader } from '@x402/core/http';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import { x402Client } from '@x402/fetch';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractPublicKeyFromKid,
  extractReceiptFromResponse,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { compactVerify, createRemoteJWKSet, type JSONWebKeySet } from 'jose';
import { canonicalize } from 'json-canonicalize';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { createSigning } from '../../server/signing/signing.ts';
import { type Answer, call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
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
import { startWorld } from '../support/worlds/service-world.ts';

// The signed offer of a 402 and the signed receipt after it, as unmodified clients and verifiers see them over HTTP. The
// package resolves did:web against the running service: it speaks http to 127.0.0.1.

const world = await startWorld();
const { url, service, operatorKey, errors, clock } = world;
const { db } = service.deps;
const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

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

/** The header of an unmodified v1 client, which reads the body of the 402 alone. */
async function signPaymentV1({ account }: Payer, refusal: Answer): Promise<Record<string, string>> {
  const client = new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(account)).setSpendControls(false);
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse(() => null, refusal.body);
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
}

const project = await openProject(world);

async function newRequest(of = project): Promise<{ request: UploadRequest; payer: Payer }> {
  const agent = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, agent.key, of.id);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  return { request: { key: agent.key, projectId: of.id, submissionId, sizeBytes: 1000 }, payer };
}

const termsOf = async (id: string): Promise<string> => {
  const [row] = await db<[{ hash: string }]>`select terms_hash as hash from projects where id = ${id}`;
  return row.hash;
};

const termsAt = async (address: string): Promise<unknown> => {
  const answer = (await (await fetch(address)).json()) as { data: { terms: unknown } };
  return answer.data.terms;
};
const sha256 = (text: string | undefined) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');

describe('the public keys', () => {
  it('are a JWK Set and a DID document that anybody may cache and read', async () => {
    const read = (name: string) => fetch(`${url}/.well-known/${name}`);
    const [jwks, did] = await Promise.all([read('jwks.json'), read('did.json')]);
    for (const [answer, type] of [
      [jwks, 'application/jwk-set+json'],
      [did, 'application/did+json'],
    ] as const) {
      assert.ok(answer.ok);
      assert.equal(answer.headers.get('content-type'), type);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    }
    const { keys: published } = (await jwks.json()) as JSONWebKeySet;
    const document = (await did.json()) as { id: string; verificationMethod: { publicKeyJwk: object }[] };
    assert.deepEqual(
      document.verificationMethod.map(({ publicKeyJwk }) => publicKeyJwk),
      published,
    );
    assert.equal(document.id, `did:web:${encodeURIComponent(new URL(url).host)}`);
    assert.ok(await extractPublicKeyFromKid(published[0]?.kid ?? ''));
  });
});

for (const [version, sign] of [
  [1, signPaymentV1],
  [2, signPayment],
] as const) {
  describe(`an entry fee of an unmodified x402 v${version} client`, () => {
    it('has a signed offer before and a signed receipt after, which match and name the terms', async () => {
      const { request, payer } = await newRequest();
      const refusal = await requestUpload(url, request);
      const { payload: offered } = await verifiedOffer(refusal);
      const terms = await termsOf(project.id);
      assert.match(terms, /^sha256:[0-9a-f]{64}$/);
      const termsUrl = `${url}/api/v1/projects/${project.id}/terms`;
      assert.deepEqual([offered.terms_hash, offered.terms_url, offered.amount], [terms, termsUrl, '250000']);
      assert.equal(`sha256:${sha256(canonicalize(await termsAt(termsUrl)))}`, terms);
      const headers = await sign(payer, refusal);
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

    it('gets an equal receipt again after a lost answer, also under later terms', async () => {
      const lasting = await openProject(world);
      const { request, payer } = await newRequest(lasting);
      const headers = await sign(payer, await requestUpload(url, request));
      const first = expectStatus(await requestUpload(url, { ...request, headers }), 200);
      const { payload } = await verifiedReceipt(first);
      const later = new Date(clock.now().getTime() + 7_200_000).toISOString();
      const change = { key: lasting.poster.key, body: { auto_select_deadline: later } };
      expectStatus(await call(url, 'PATCH', `/posters/me/projects/${lasting.id}`, change), 200);
      assert.notEqual(await termsOf(lasting.id), payload.terms_hash);
      clock.offsetMs += 60_000;
      const again = expectStatus(await requestUpload(url, { ...request, headers }), 200);
      assert.equal(again.headers.get('payment-response'), first.headers.get('payment-response'));
    });
  });
}

describe('terms that change between the 402 and the payment', () => {
  const laterTerms = async ({ id, poster }: typeof project) => {
    const later = new Date(clock.now().getTime() + 7_200_000).toISOString();
    const change = { key: poster.key, body: { auto_select_deadline: later } };
    expectStatus(await call(url, 'PATCH', `/posters/me/projects/${id}`, change), 200);
  };

  it('charge nothing: a v2 client sends the offer back, and the service compares its terms', async () => {
    const moved = await openProject(world);
    const { request, payer } = await newRequest(moved);
    const headers = await signPayment(payer, await requestUpload(url, request));
    await laterTerms(moved);
    const before = await service.deps.chain.balanceMicro(payer.address);
    codeIs(await requestUpload(url, { ...request, headers }), 409, 'TERMS_CHANGED');
    assert.equal(await service.deps.chain.balanceMicro(payer.address), before);
    const paid = expectStatus(await requestUpload(url, { ...request, fetch: payer.pay }), 200);
    assert.equal((await verifiedReceipt(paid)).payload.terms_hash, await termsOf(moved.id));
  });

  it('bind a v1 client, which sends no offer back: its receipt names the new terms', async () => {
    const moved = await openProject(world);
    const { request, payer } = await newRequest(moved);
    const headers = await signPaymentV1(payer, await requestUpload(url, request));
    await laterTerms(moved);
    const paid = expectStatus(await requestUpload(url, { ...request, headers }), 200);
    assert.equal((await verifiedReceipt(paid)).payload.terms_hash, await termsOf(moved.id));
  });

  it('make no difference to a payment that sends something else in place of the offer', async () => {
    for (const offers of [[], [{ signature: 'a.b.c' }], [{ signature: 'x' }], [{ signature: 7 }], 'none', null]) {
      const { request, payer } = await newRequest();
      const { 'PAYMENT-SIGNATURE': header = '' } = await signPayment(payer, await requestUpload(url, request));
      const payment = JSON.parse(Buffer.from(header, 'base64').toString()) as object;
      const extensions = { 'offer-receipt': { info: { offers } } };
      const changed = Buffer.from(JSON.stringify({ ...payment, extensions })).toString('base64');
      const headers = { 'PAYMENT-SIGNATURE': changed };
      expectStatus(await requestUpload(url, { ...request, headers }), 200);
    }
  });
});

describe('a prize', () => {
  it('has a signed offer, and a signed receipt that names the terms which the payment froze, also under later terms', async () => {
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
    assert.deepEqual([received.payer, terms], [payer.address, await termsOf(id)]);
    assert.equal(`sha256:${sha256(canonicalize(await termsAt(at)))}`, terms);

    const later = new Date(clock.now().getTime() + 10 * 86_400_000).toISOString();
    const change = { key: poster.key, body: { auto_select_deadline: later } };
    expectStatus(await call(url, 'PATCH', `/posters/me/projects/${id}`, change), 200);
    assert.notEqual(await termsOf(id), terms);
    const again = expectStatus(await call(url, 'POST', path, { key: poster.key, headers }), 200);
    assert.equal(again.headers.get('payment-response'), paid.headers.get('payment-response'));
  });
});

describe('a refused payment', () => {
  it('gets a fresh offer and no receipt', async () => {
    const { request } = await newRequest();
    const poor = newPayer();
    const headers = await signPayment(poor, await requestUpload(url, request));
    const refused = await requestUpload(url, { ...request, headers });
    codeIs(refused, 402, 'PAYMENT_FAILED');
    assert.ok((await verifiedOffer(refused)).payload.validUntil > clock.now().getTime() / 1000);
    assert.equal(extractReceiptFromResponse(new Response(null, { headers: refused.headers })), undefined);
  });
});

describe('a rotated key', () => {
  it('verifies what the earlier key signed, and signs anew', async () => {
    const { request, payer } = await newRequest();
    const headers = await signPayment(payer, await requestUpload(url, request));
    const paid = expectStatus(await requestUpload(url, { ...request, headers }), 200);
    const { receipt, payload } = await verifiedReceipt(paid);
    const { signing } = service.deps;
    // The service's own secret is not at hand here, so its earlier key is published by its public part.
    const rotated = createSigning({
      secretsKey: randomBytes(32).toString('hex'),
      keys: [2, signing.keys[0]?.x ?? ''],
      publicUrl: url,
    });
    const other = createService({ ...service.deps, signing: rotated }, { operatorKey });
    const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
    closers.push(async () => {
      await listener.close(0);
      other.app.stop();
    });
    const beside = `http://127.0.0.1:${listener.port}`;
    const now = createRemoteJWKSet(new URL(`${beside}/.well-known/jwks.json`));
    const read = async (jws: string) => JSON.parse(new TextDecoder().decode((await compactVerify(jws, now)).payload));
    assert.deepEqual(await read(receipt.signature), payload);
    const again = expectStatus(await requestUpload(beside, { ...request, headers }), 200);
    const resigned = extractReceiptFromResponse(new Response(null, { headers: again.headers })) as JWSSignedReceipt;
    assert.notEqual(resigned.signature, receipt.signature);
    assert.deepEqual(await read(resigned.signature), payload);
    await assert.rejects(verifyReceiptSignatureJWS(resigned), /No verification method/);
  });
});

it('logs no error', () => assert.deepEqual(errors, []));
