import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { call, type Payer, signPayment } from '../support/clients/client.ts';
import { close } from '../support/clients/contestants.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import {
  expectStatus,
  openProject,
  type OpenProject,
  requestUpload,
  type UploadRequest,
} from '../support/clients/journey.ts';
import { moveDeadline, termsOf } from '../support/clients/terms.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// An upload request whose terms change while it pays, or whose payment has no known outcome.

let whileVerifying = async () => {};
let settleFails = false;
afterEach(() => {
  whileVerifying = async () => {};
  settleFails = false;
});

const world = await startWorld({
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      settle: (payment, prepared) =>
        settleFails ? Promise.reject(new Error('timeout')) : facilitator.settle(payment, prepared),
      async verify(payment) {
        const verification = await facilitator.verify(payment);
        await whileVerifying();
        return verification;
      },
    },
  }),
});
const { url, service, clock } = world;
const { db, chain, payments } = service.deps;
const { confirmOf, enter, richPayer, upload } = entriesOf(world);

const FEE_MICRO = 250_000;
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000);
type Asking = Pick<Entry, 'key' | 'projectId' | 'submissionId'>;
const ask = (entry: Asking, terms_hash?: unknown, options: Pick<UploadRequest, 'headers' | 'fetch'> = {}) =>
  requestUpload(url, { ...entry, sizeBytes: picture.length, terms_hash, ...options });

async function assertUncharged({ address }: Pick<Payer, 'address'>, { submissionId }: Asking): Promise<void> {
  assert.equal(await chain.balanceMicro(address), 5_000_000);
  assert.equal((await db`select from payments where subject_id = ${submissionId}`).count, 0);
}

describe('an upload request that names its terms', () => {
  /** Returns the payment of a client that does not send the extensions of the 402 back. */
  function withoutOffer({ 'PAYMENT-SIGNATURE': header = '' }: Record<string, string>): Record<string, string> {
    const { extensions: _, ...payment } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
      extensions: object;
    };
    return { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payment)).toString('base64') };
  }

  async function signed(project: OpenProject) {
    const entry = await enter(project.id);
    const { terms_hash: agreed } = await termsOf(url, project.id);
    const payer = await richPayer();
    const headers = await signPayment(payer, expectStatus(await ask(entry, agreed), 402));
    return { entry, agreed: agreed as string, payer, headers };
  }

  it('is served if they are the current ones, and needs no payment twice', async () => {
    const { entry, agreed, payer, headers } = await signed(await openProject(world));
    expectStatus(await ask(entry, agreed, { headers }), 200);
    assert.equal(await chain.balanceMicro(payer.address), 5_000_000 - FEE_MICRO);
    expectStatus(await ask(entry, agreed), 200);
  });

  it('is refused uncharged if they have changed, with the current hash and its address', async () => {
    const project = await openProject(world);
    const { entry, agreed, payer, headers } = await signed(project);
    expectStatus(await moveDeadline(url, project, inHours(3)), 200);
    const { terms_hash: current } = await termsOf(url, project.id);
    for (const options of [{}, { headers }]) {
      const refused = await ask(entry, agreed, options);
      codeIs(refused, 409, 'TERMS_CHANGED', /^Entry fee not charged: /);
      assert.deepEqual(refused.body.error.details, [
        { field: 'terms_hash', message: current },
        { field: 'terms_url', message: `${url}/api/v1/projects/${project.id}/terms` },
      ]);
    }
    await assertUncharged(payer, entry);
    for (const wrong of ['', 'sha256:', current.slice(7), current.toUpperCase(), 'x'.repeat(200)])
      codeIs(await ask(entry, wrong, { headers }), 409, 'TERMS_CHANGED');
    await assertUncharged(payer, entry);
    // The signed payment still pays, because it names the same amount and recipient.
    expectStatus(await ask(entry, current, { headers }), 200);
  });

  it('is refused uncharged if they change between the check and the charge', async () => {
    const project = await openProject(world);
    const { entry, agreed, payer, headers } = await signed(project);
    whileVerifying = async () => void expectStatus(await moveDeadline(url, project, inHours(3)), 200);
    codeIs(await ask(entry, agreed, { headers }), 409, 'TERMS_CHANGED');
    await assertUncharged(payer, entry);
    whileVerifying = async () => {};
    expectStatus(await ask(entry, (await termsOf(url, project.id)).terms_hash, { headers }), 200);
  });

  it('is refused uncharged if the offer that its payment answers has other terms by the charge', async () => {
    const project = await openProject(world);
    const { entry, payer, headers } = await signed(project);
    whileVerifying = async () => void expectStatus(await moveDeadline(url, project, inHours(3)), 200);
    codeIs(await ask(entry, undefined, { headers }), 409, 'TERMS_CHANGED');
    await assertUncharged(payer, entry);
    whileVerifying = async () => {};
    // A hash in the body counts more than the offer.
    expectStatus(await ask(entry, (await termsOf(url, project.id)).terms_hash, { headers }), 200);
  });

  it('pays under the new terms if it names none and they change between the check and the charge', async () => {
    const project = await openProject(world);
    const { entry, payer, headers } = await signed(project);
    let checks = 0;
    whileVerifying = async () => {
      checks += 1;
      if (checks === 1) expectStatus(await moveDeadline(url, project, inHours(3)), 200);
    };
    expectStatus(await ask(entry, undefined, { headers: withoutOffer(headers) }), 200);
    assert.equal(checks, 2, 'the request started over');
    assert.equal(await chain.balanceMicro(payer.address), 5_000_000 - FEE_MICRO);
  });

  it('is refused uncharged while its poster closes the project between the check and the charge', async () => {
    const project = await openProject(world);
    const first = await enter(project.id);
    await upload(first);
    expectStatus(await confirmOf(first), 200);
    const { entry, agreed, payer, headers } = await signed(project);
    whileVerifying = async () => void expectStatus(await close(world, project), 200);
    codeIs(await ask(entry, agreed, { headers }), 409, 'PROJECT_NOT_ACCEPTING');
    await assertUncharged(payer, entry);
  });
});

describe('a payment with an unknown outcome', () => {
  it('is PAYMENT_PENDING and never a new 402, and its intent cannot be deleted', async () => {
    const entry = await enter((await openProject(world)).id);
    const { key, projectId, submissionId } = entry;
    const payer = await richPayer();
    payments.waitMs = 200;
    settleFails = true;
    codeIs(await ask(entry, undefined, { fetch: payer.pay }), 503, 'PAYMENT_PENDING', /do not pay again/);
    codeIs(await ask(entry), 503, 'PAYMENT_PENDING');
    codeIs(await call(url, 'DELETE', `/agents/projects/${projectId}/intent`, { key }), 503, 'PAYMENT_PENDING');
    const { submission } = expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200)
      .body.data;
    assert.deepEqual(
      [submission.status, submission.payment, submission.next.operation_id],
      ['pending', 'settling', 'requestUpload'],
    );
    assert.match(submission.next.why, /do not sign another/);
    payments.waitMs = 15_000;
    settleFails = false;
    clock.offsetMs += 31_000;
    expectStatus(await ask(entry), 200);
    assert.equal(await chain.balanceMicro(payer.address), 5_000_000 - FEE_MICRO);
  });
});
