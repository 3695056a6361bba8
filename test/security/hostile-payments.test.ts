import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { operations } from '../../contract/operations.ts';
import { type Answer, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Payments that a thief, a careless client, or chance has changed. None pays, and none costs more than was signed.

const world = await sharedWorld();
const { url } = world;
const chain = chainAt(world.rpcUrl);
const project = await openProject(world);
const payer = newPayer();
await fund(url, payer.address, 100);

type Headers = Record<string, string>;
type Entry = { key: string; projectId: string; submissionId: string; sizeBytes: number };

async function enter(projectId: string): Promise<Entry> {
  const { key } = await registerAgent(url);
  return { key, projectId, submissionId: (await createIntent(url, key, projectId)).id, sizeBytes: 1_000 };
}

/** Signs a valid payment for an entry in both x402 versions. It sends nothing. */
async function signed(entry: Entry, by: Payer = payer): Promise<{ v2: string; v1: string }> {
  const headers = await signPayment(by, await requestUpload(url, entry));
  const v2 = headers['PAYMENT-SIGNATURE']!;
  const { payload } = decode(v2);
  return { v2, v1: encode({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload }) };
}

type SignedMember = 'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce';
/** A payment of version 2 whose signed members a test can replace by values of any type. */
type Presented = {
  accepted: Record<'scheme' | 'network' | 'asset' | 'amount' | 'payTo', string>;
  payload: { signature: unknown; authorization: Record<SignedMember, unknown> };
};
const decode = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString()) as Presented;
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

async function present(entry: Entry, headers: Headers): Promise<Answer> {
  return await requestUpload(url, { ...entry, headers });
}

/** Asserts that the service refuses the payment, stores nothing, and moves no money. */
async function refused(entry: Entry, headers: Headers, note = ''): Promise<Answer> {
  const answer = await present(entry, headers);
  assert.equal(answer.status, 402, `${note} ${JSON.stringify(answer.body)}`);
  codeIs(answer, 402, 'PAYMENT_FAILED', /^Payment failed: /);
  assert.ok(answer.headers.has('payment-required'));
  return answer;
}

const spent = async () => 100_000_000 - (await chain.balanceMicro(payer.address));

describe('a payment header', () => {
  it('with invalid content is a failed payment, never a fault', async () => {
    const entry = await enter(project.id);
    const { v2 } = await signed(entry);
    const texts = [
      'null',
      '[]',
      '{}',
      '"text"',
      '{',
      '\u0000',
      `{"a":${'['.repeat(2000)}`,
      '{"__proto__":{"payload":{}}}',
    ];
    const broken = ['x', '====', 'null', '%00', '{}', v2.replaceAll('A', '-'), `${v2} `.repeat(2), v2 + v2];
    broken.push(...texts.map(encode), encode({ x402Version: 3 }), randomBytes(3000).toString('base64'));
    for (const header of broken)
      for (const name of ['payment-signature', 'x-payment']) {
        const { headers } = await refused(entry, { [name]: header }, header.slice(0, 40));
        assert.ok(headers.has('payment-response'));
      }
    const { v1: another } = await signed(entry);
    codeIs(await present(entry, { 'payment-signature': v2, 'x-payment': another }), 400, 'VALIDATION_ERROR');
    assert.equal(await spent(), 0);
    // None of them counts: the payer is not locked out.
    const other = newPayer();
    await fund(url, other.address, 1);
    const good = await signed(entry, other);
    assert.equal((await present(entry, { 'payment-signature': good.v1, 'x-payment': good.v2 })).status, 200);
  });

  it('is refused if it is cut at any place', async () => {
    const entry = await enter(project.id);
    const { v2, v1 } = await signed(entry);
    for (const [name, header] of [
      ['payment-signature', v2],
      ['x-payment', v1],
    ] as const)
      for (let length = 1; length < header.length - 3; length += 101)
        await refused(entry, { [name]: header.slice(0, length) }, `${name} ${length}`);
    assert.equal(await spent(), 0);
  });

  it('with any flipped bit pays nothing, or exactly the signed amount', async () => {
    const entry = await enter(project.id);
    const { v2, v1 } = await signed(entry);
    const flips = fc.tuple(
      fc.constantFrom(['payment-signature', v2] as const, ['x-payment', v1] as const),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.nat(6),
    );
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(flips, async ([[name, header], at, bit]) => {
        const bytes = Buffer.from(header, 'base64');
        bytes[Math.floor(at * bytes.length)]! ^= 1 << bit;
        const answer = await present(entry, { [name]: bytes.toString('base64') });
        assert.ok([200, 402].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
        // Unsigned parts can differ in a valid payment: the text of an extension, or the case of an address.
        if (answer.status === 200) paid += 1;
      }),
      { numRuns: 80 },
    );
    assert.equal(await spent(), paid > 0 ? 250_000 : 0);
  });

  it('with changed terms is refused, member by member', async () => {
    const entry = await enter(project.id);
    const { v2 } = await signed(entry);
    const before = await spent();
    const other = newPayer().account.address;
    const changes: [string, (payment: Presented) => void][] = [
      ['a lower amount', (p) => void (p.accepted.amount = p.payload.authorization.value = '1')],
      ['a lower signed amount', (p) => void (p.payload.authorization.value = '1')],
      ['a higher amount', (p) => void (p.payload.authorization.value = '250001')],
      ['amounts as numbers', (p) => void (p.payload.authorization.value = 250_000)],
      ['a negative amount', (p) => void (p.payload.authorization.value = '-250000')],
      ['a hexadecimal amount', (p) => void (p.payload.authorization.value = '0x3d090')],
      ['an amount beyond uint256', (p) => void (p.payload.authorization.value = '9'.repeat(78))],
      ['an amount of a megabyte', (p) => void (p.payload.authorization.value = '9'.repeat(4000))],
      ['another recipient', (p) => void (p.accepted.payTo = p.payload.authorization.to = other)],
      ['another signed recipient', (p) => void (p.payload.authorization.to = other)],
      ['another payer', (p) => void (p.payload.authorization.from = other)],
      ['another token', (p) => void (p.accepted.asset = other)],
      ['another network', (p) => void (p.accepted.network = 'eip155:8453')],
      ['another scheme', (p) => void (p.accepted.scheme = 'upto')],
      ['another nonce', (p) => void (p.payload.authorization.nonce = `0x${'11'.repeat(32)}`)],
      ['a longer life', (p) => void (p.payload.authorization.validBefore = '99999999999')],
      ['a life without end', (p) => void (p.payload.authorization.validBefore = '9'.repeat(77))],
      ['a life that is over', (p) => void (p.payload.authorization.validBefore = '1')],
      ['a life that has not begun', (p) => void (p.payload.authorization.validAfter = '9999999999')],
      ['a signature of zeros', (p) => void (p.payload.signature = `0x${'00'.repeat(65)}`)],
      ['an empty signature', (p) => void (p.payload.signature = '0x')],
      ['a signature cut short', (p) => void (p.payload.signature = String(p.payload.signature).slice(0, -2))],
      ['a signature that is a list', (p) => void (p.payload.signature = [p.payload.signature])],
      ['no authorization', (p) => void Reflect.deleteProperty(p.payload, 'authorization')],
      ['a prototype for a payload', (p) => void Object.assign(p, { payload: { constructor: { name: 'x' } } })],
      ['NULs', (p) => void (p.accepted.scheme = 'exact\u0000')],
    ];
    for (const [note, change] of changes) {
      const payment = decode(v2);
      change(payment);
      await refused(entry, { 'payment-signature': encode(payment) }, note);
      const v1 = {
        x402Version: 1,
        scheme: payment.accepted.scheme,
        network: payment.accepted.network === 'eip155:84532' ? 'base-sepolia' : 'base',
        payload: payment.payload,
      };
      // Version 1 has no `accepted` member, so changes only there do not affect it.
      if (JSON.stringify(v1.payload) !== JSON.stringify(decode(v2).payload))
        await refused(entry, { 'x-payment': encode(v1) }, note);
    }
    assert.equal(await spent(), before);
    assert.equal((await present(entry, { 'payment-signature': v2 })).status, 200);
  });

  it('for another purpose pays for nothing here', async () => {
    const [first, second] = [await enter(project.id), await enter(project.id)];
    const dear = await openProject(world, { entryFeeUsdc: 0.5 });
    const third = await enter(dear.id);
    const { v2 } = await signed(first);
    await refused(third, { 'payment-signature': v2 }, 'another price');
    const before = await spent();
    assert.equal((await present(first, { 'payment-signature': v2 })).status, 200);
    const used = await refused(second, { 'payment-signature': v2 }, 'another entry of the same price');
    // Its payer learns what to do if somebody else presented it.
    assert.match(
      used.body.error.message,
      /used for something else; if you did not send it.*\/agents\/me\/wallet\/challenge/,
    );
    codeIs(
      await callOperation(url, operations.publishProject, {
        key: project.poster.key,
        headers: { 'payment-signature': v2 },
      }),
      404,
      'PROJECT_NOT_FOUND',
    );
    assert.equal(await spent(), before + 250_000);
    // The same payment, sent again for its own subject, is its receipt.
    const again = await present(first, { 'payment-signature': v2 });
    assert.deepEqual([again.status, again.headers.has('payment-response')], [200, true]);
    assert.equal(await spent(), before + 250_000);
  });
});
