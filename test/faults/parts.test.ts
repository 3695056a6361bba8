import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { StorageError } from '../../server/storage/types.ts';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
import {
  assertBooks,
  brief,
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { assertPending, untilSettled } from '../support/money/payment-answers.ts';
import { until } from '../support/processes/processes.ts';
import { type Relay, startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The chain and the storage stop and return under a service that never restarts, and a client goes away.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 4_000_000;

let chainLine: Relay;
let presignFails = false;
/** Runs right after the settlement of a payment, before the service receives its result. */
let afterSettle: () => Promise<void> = async () => {};

const world = await startWorld({
  logsErrors: true,
  paymentTimes: { waitMs: 5_000, leaseMs: 1_000 },
  env: { LIMIT_PAYMENTS_PER_HOUR: '10000' },
  async rpcUrlOf(rpcUrl) {
    chainLine = await startRelay(Number(new URL(rpcUrl).port));
    return `http://127.0.0.1:${chainLine.port}`;
  },
  wrap: ({ facilitator, storage }) => ({
    facilitator: {
      ...facilitator,
      async settle(payment, prepared) {
        const { proof: _, ...settlement } = await facilitator.settle(payment, prepared);
        await afterSettle();
        return settlement;
      },
    },
    storage: {
      ...storage,
      async presignUpload(grant) {
        if (presignFails) throw new StorageError('the store does not answer');
        return await storage.presignUpload(grant);
      },
    },
  }),
});
const { url, chain } = world;
const picture = await testPicture();
const { poster, ...project } = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });

afterEach(async () => {
  await chainLine.mend();
  presignFails = false;
  afterSettle = async () => {};
});

async function enter() {
  const agent = await registerAgent(url);
  const intent = await createIntent(url, agent.key, project.id);
  const payer = newPayer();
  await chain.mintUsdc(payer.address, FUNDS_MICRO);
  const request = { key: agent.key, projectId: project.id, submissionId: intent.id, sizeBytes: picture.length };
  const ask = (headers: Record<string, string> = {}, send = fetch) =>
    requestUpload(url, { ...request, headers, fetch: send });
  const payment = await signPayment(payer, expectStatus(await ask(), 402));
  return {
    agent,
    intent,
    ask,
    payment,
    confirm: () => confirm(url, agent.key, project.id, intent.id),
    balanceMicro: () => world.service.deps.chain.balanceMicro(payer.address),
    payments: async () => (await world.service.deps.db`select 1 from payments where subject_id = ${intent.id}`).length,
  };
}

/**
 * Waits until the service says which part is down; an answer holds for a second. It stays ready without storage and chain,
 * because most requests need neither.
 */
async function saysDown(part: 'chain' | 'storage' | null): Promise<void> {
  await until(`the state of the parts: ${part} is down`, async () => {
    const response = await fetch(`${url}/healthz?deep`);
    const { status, parts } = (await response.json()) as { status: string; parts: Record<string, boolean> };
    assert.equal(response.status, status === 'ok' ? 200 : 503);
    const down = Object.keys(parts).filter((each) => !parts[each]);
    return part === null ? down.length === 0 : down.join() === part;
  });
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
}

function assertUnavailable(answer: Answer): void {
  expectStatus(answer, 503);
  assert.equal(answer.body.error.code, 'INTERNAL_ERROR');
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(answer.headers.get('payment-required'), null);
}

function assertStorageError(answer: Answer): void {
  expectStatus(answer, 502);
  assert.equal(answer.body.error.code, 'STORAGE_ERROR');
  assert.doesNotMatch(JSON.stringify(answer.body), /ENOSPC|\/tmp|disk|folder/i);
}

describe('a service without its chain', () => {
  it('takes and records no payment, reports it, and accepts the same payment when the chain is back', async () => {
    const { ask, payment, balanceMicro, payments } = await enter();
    const drafted = await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() });
    const publish = (headers: Record<string, string>) =>
      call(url, 'POST', `/posters/me/projects/${drafted.body.data.project.id}/publish`, { key: poster.key, headers });
    const prize = await signPayment(newPayer(), expectStatus(await publish({}), 402));

    await chainLine.cut();
    assertUnavailable(await ask(payment));
    assertUnavailable(await publish(prize));
    assertUnavailable(await call(url, 'GET', '/operator/ledger', { key: world.operatorKey }));
    await saysDown('chain');
    assert.equal(await payments(), 0);

    await chainLine.mend();
    await saysDown(null);
    expectStatus(await ask(payment), 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooks(world);
  });

  it('does not guess the outcome of a payment that has just settled', async () => {
    const { ask, payment, balanceMicro } = await enter();
    afterSettle = () => chainLine.cut();
    assertPending(await ask(payment));
    assertPending(await ask());
    await chainLine.mend();
    afterSettle = async () => {};
    expectStatus(await untilSettled(() => ask()), 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    await assertBooks(world);
  });
});

it('a client that disconnects during its payment has paid: its next request needs no payment', async () => {
  const { ask, payment, balanceMicro } = await enter();
  const client = new AbortController();
  afterSettle = async () => client.abort();
  const answer = ask(payment, (input, init) => fetch(input, { ...init, signal: client.signal }));
  await assert.rejects(answer, { name: 'AbortError' });
  expectStatus(await untilSettled(() => ask()), 200);
  assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
  await assertBooks(world);
});

describe('a service without its storage', () => {
  it('keeps the fee credited if it cannot sign the upload URL', async () => {
    const { ask, payment, balanceMicro } = await enter();
    presignFails = true;
    assertStorageError(await ask(payment));
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO, 'the fee is paid');
    assertStorageError(await ask());
    presignFails = false;
    const granted = expectStatus(await ask(), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO, 'and not paid again');
    await assertBooks(world);
  });

  it('neither confirms nor refuses a picture while the storage is down', async () => {
    const { ask, payment, confirm: confirmUpload } = await enter();
    const granted = expectStatus(await ask(payment), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
    const objects = join(world.folder, 'storage', 'objects');
    await rename(objects, `${objects}.away`);
    // The service cannot know whether a picture is waiting. It must not drop that picture for a new one.
    assertStorageError(await ask());
    assertStorageError(await confirmUpload());
    // The confirmation is requested, so its file stays.
    expectStatus(await ask(), 409);
    await saysDown('storage');
    await rename(`${objects}.away`, objects);
    expectStatus(await confirmUpload(), 200);
  });

  it('gives up a picture that could not be inspected for an hour, and tells the operator', async () => {
    const { ask, payment, confirm: confirmUpload } = await enter();
    const granted = expectStatus(await ask(payment), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
    const objects = join(world.folder, 'storage', 'objects');
    await rename(objects, `${objects}.away`);
    assertStorageError(await confirmUpload());
    world.clock.offsetMs += 3_660_000;
    await until('the alert', async () => world.errors.some(({ alert }) => alert === 'inspection_given_up'));
    await rename(`${objects}.away`, objects);
  });
});
