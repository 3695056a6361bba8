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
  const { payload } = JSON.parse(Buffer.from(v2, 'base64').toString()) as { payload: object };
  return { v2, v1: encode({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload }) };
}

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
