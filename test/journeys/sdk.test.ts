import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ConcoursError, createAgent, createPoster, type EntryStep, type Fetch } from '../../sdk/src/index.ts';
import { testPicture } from '../support/clients/journey.ts';
import { recordFailure } from '../support/money/failed-payment.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A poster and an agent use nothing but the SDK, from their registration to the delivery.

const FEE_MICRO = 250_000;

const world = await startWorld();
const { url, service, errors } = world;
const { chain, db } = service.deps;
const folder = await mkdtemp(join(tmpdir(), 'concours-sdk-'));
after(() => rm(folder, { recursive: true }));

const poster = createPoster({ url, wallet: privateKeyToAccount(generatePrivateKey()), fetch: sdkFetch });
await poster.register({ poster_name: 'Almanac House' });
await poster.faucet(20);

const description = 'A poster that shows a lighthouse at dusk, calm water and one boat.';

async function openProject(fields: { entry_fee?: number; item_count?: number } = {}) {
  const draft = await poster.draft({
    title: 'A poster for a lighthouse festival',
    description,
    prize_amount: 1,
    entry_fee: FEE_MICRO / 1e6,
    specializations: ['logo-design'],
    auto_select_deadline: new Date(Date.now() + 3_600_000),
    ...fields,
  });
  return await poster.publish(draft, { maxPrize: 1 });
}

async function newAgent() {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const agent = createAgent({ url, wallet, fetch: sdkFetch });
  const details = {
    agent_name: 'Atelier',
    description: 'Paints small pictures of the sea.',
    specializations: ['logo-design'],
  };
  await agent.register(details);
  await agent.faucet('1');
  const balance = () => chain.balanceMicro(wallet.address.toLowerCase());
  return { agent, wallet, balance };
}

function code(expected: string) {
  return (error: unknown) => error instanceof ConcoursError && error.code === expected;
}

describe('a poster and an agent with the SDK alone', () => {
  it('go from the registration to the delivery', async () => {
    const project = await openProject();
    assert.equal(project.status, 'open');
    assert.equal((await poster.publish(project, { maxPrize: 1 })).id, project.id, 'publishing is safe to repeat');
    const { agent, balance } = await newAgent();

    const found: string[] = [];
    for await (const { id } of agent.projects({ specializations: ['logo-design'], max_entry_fee: 0.5 })) found.push(id);
    assert.ok(found.includes(project.id));
    assert.equal((await agent.quote(project)).entry_fee_micro, FEE_MICRO);
    assert.equal((await agent.project(project)).title, project.title);

    const file = join(folder, 'dawn.png');
    const picture = await testPicture(3);
    await writeFile(file, picture);
    const steps: EntryStep[] = [];
    const onProgress = (step: EntryStep) => steps.push(step);
    const entry = await agent.enter(project, { title: 'Dawn', file, maxFee: 0.25, onProgress });
    assert.deepEqual([entry.status, entry.entry_fee_paid], ['submitted', FEE_MICRO]);
    assert.match(entry.payment_tx_hash ?? '', /^0x[0-9a-f]{64}$/);
    assert.deepEqual(
      steps.map(({ step }) => step).filter((step) => step !== 'waiting'),
      ['reserved', 'paying', 'uploading', 'uploaded', 'confirming', 'done'],
    );
    assert.equal(await balance(), 1_000_000 - FEE_MICRO);
    assert.equal((await agent.enter(project, { file, maxFee: 0.25 })).id, entry.id, 'entering is safe to repeat');
    assert.equal(await balance(), 1_000_000 - FEE_MICRO);

    await poster.close(project);
    world.clock.offsetMs += 16 * 60_000;
    await until('judging', async () => (await poster.project(project)).status === 'judging');
    const [shown] = await Array.fromAsync(poster.entries(project));
    assert.equal(shown?.id, entry.id);
    await poster.score(project, entry.id, 5, 'Good light.');
    await assert.rejects(poster.delivery(project), code('NOT_AWARDED'));
    await poster.choose(project, entry.id);
    await until('the prize', async () => (await poster.project(project)).status === 'completed');

    const delivery = await poster.delivery(project);
    const [original] = delivery.files;
    assert.deepEqual(Buffer.from((await original?.read()) ?? []), picture);
    assert.equal(original?.sha256, createHash('sha256').update(picture).digest('hex'));
    assert.match(delivery.manifest ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);

    const [result] = await Array.fromAsync(agent.results({ status: 'won' }));
    assert.deepEqual([result?.id, result?.score, result?.feedback], [entry.id, 5, 'Good light.']);
    assert.equal((await Array.fromAsync(agent.submissions())).length, 1);
    assert.equal((await agent.me()).agent.name, 'Atelier');

    const { total, projects } = await agent.money();
    assert.deepEqual([total.fees_micro, total.prizes_micro], [FEE_MICRO, 950_000]);
    assert.deepEqual(
      (await Array.fromAsync(projects)).map(({ submission_id: id }) => id),
      [entry.id],
    );
    const told: string[] = [];
    for await (const event of agent.events()) {
      if (!('submission_id' in event.data) || event.data.submission_id !== entry.id) continue;
      told.push(event.type);
      if (event.type === 'PAYOUT.SETTLED') break;
    }
    assert.deepEqual(told.toSorted(), [
      'PAYOUT.SETTLED',
      'SUBMISSION.CONFIRMED',
      'SUBMISSION.SCORED',
      'SUBMISSION.WON',
    ]);
    const toldPoster = await Array.fromAsync(poster.events({ follow: false }), ({ type }) => type);
    for (const type of ['ENTRY.CONFIRMED', 'JUDGING.STARTED', 'DELIVERY.READY'] as const)
      assert.ok(toldPoster.includes(type), type);
    assert.deepEqual(errors, []);
  });

  it('manage keys, caps, and the wallet of an agent', async () => {
    const { agent, wallet } = await newAgent();
    const { keyId, apiKey } = await agent.keys.create('a reader', 'read');
    const reader = createAgent({ url, key: apiKey, fetch: sdkFetch });
    assert.deepEqual(
      (await reader.keys.list()).map(({ name, current }) => [name, current]),
      [
        ['a reader', true],
        [null, false],
      ],
    );
    await assert.rejects(reader.setBudget({ per_day: 1 }), code('KEY_SCOPE'));
    assert.deepEqual((await agent.setBudget({ per_day: '0.1' })).per_day, 0.1);
    const file = new Uint8Array(await testPicture(52));
    await assert.rejects(agent.enter(await openProject(), { title: 'Dawn', file, maxFee: 1 }), code('BUDGET_EXCEEDED'));
    assert.equal((await agent.setBudget({ per_day: null })).per_day, null);
    const linked = await agent.linkWallet();
    assert.deepEqual([linked.address?.toLowerCase(), linked.proven], [wallet.address.toLowerCase(), true]);
    await agent.keys.revoke(keyId);
    await assert.rejects(reader.me(), code('INVALID_API_KEY'));
  });

  it('enter a set of pictures, from bytes and from a Blob', async () => {
    const project = await openProject({ item_count: 2 });
    const { agent, balance } = await newAgent();
    const files = [new Uint8Array(await testPicture(11)), new Blob([await testPicture(12, 'webp')])];
    const entry = await agent.enter(project, { title: 'Two lights', files, maxFee: '0.25' });
    assert.deepEqual(
      entry.files.map(({ item, state }) => [item, state]),
      [
        [1, 'confirmed'],
        [2, 'confirmed'],
      ],
    );
    assert.equal(await balance(), 1_000_000 - FEE_MICRO, 'one fee for the set');
    await assert.rejects(
      agent.enter(project, { files: [...files, ...files].slice(0, 1), file: 'x' }),
      code('FILE_INVALID'),
    );
  });

  it('follow new projects without repeating one', async () => {
    const { agent } = await newAgent();
    const known = await openProject();
    const stop = new AbortController();
    const seen: string[] = [];
    let fresh = '';
    const following = (async () => {
      for await (const { id } of agent.projects({ follow: true, everySeconds: 1.1, signal: stop.signal })) {
        seen.push(id);
        if (id === fresh) stop.abort();
      }
    })();
    await until('the known project', async () => seen.includes(known.id));
    fresh = (await openProject()).id;
    await assert.rejects(following, { name: 'AbortError' });
    assert.equal(new Set(seen).size, seen.length);
  });
});

describe('the SDK refuses before it signs', () => {
  const entry = async () => ({ title: 'Dawn', file: new Uint8Array(await testPicture(21)) });

  it('a fee above the maximum, and any fee without a maximum', async () => {
    const project = await openProject();
    const { agent, balance } = await newAgent();
    await assert.rejects(agent.enter(project, await entry()), code('FEE_TOO_HIGH'));
    await assert.rejects(agent.enter(project, { ...(await entry()), maxFee: 0.249999 }), code('FEE_TOO_HIGH'));
    await assert.rejects(agent.enter(project, { ...(await entry()), maxFee: '1e3' }), code('VALIDATION_ERROR'));
    assert.equal(await balance(), 1_000_000);
    assert.deepEqual(await Array.fromAsync(agent.submissions()), [], 'no intent was created');
  });

  it('a file that is no picture, and a missing one', async () => {
    const project = await openProject();
    const { agent } = await newAgent();
    const text = new TextEncoder().encode('no picture');
    await assert.rejects(agent.enter(project, { title: 'Dawn', file: text, maxFee: 1 }), code('FILE_INVALID'));
    await assert.rejects(agent.enter(project, { title: 'Dawn', file: join(folder, 'none.png') }), code('FILE_INVALID'));
    await assert.rejects(agent.enter(project, { title: 'Dawn', maxFee: 1 }), code('FILE_INVALID'));
  });

  it('a 402 that names another recipient, token, or amount', async () => {
    const project = await openProject();
    const { agent, wallet, balance } = await newAgent();
    const forgeries: Record<string, string>[] = [
      { payTo: wallet.address },
      { asset: wallet.address },
      { amount: '250001' },
      { network: 'eip155:8453' },
    ];
    for (const forgery of forgeries) {
      const forge: Fetch = async (input, init) => {
        const response = await sdkFetch(input, init);
        const header = response.headers.get('payment-required');
        if (header === null) return response;
        const required = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: object[] };
        required.accepts = required.accepts.map((offer) => ({ ...offer, ...forgery }));
        const headers = new Headers(response.headers);
        headers.set('payment-required', Buffer.from(JSON.stringify(required)).toString('base64'));
        return new Response(await response.text(), { status: response.status, headers });
      };
      const misled = createAgent({ url, key: agent.key, wallet, fetch: forge });
      await assert.rejects(misled.enter(project, { ...(await entry()), maxFee: 1 }), code('PAYMENT_MISMATCH'));
    }
    assert.equal(await balance(), 1_000_000);
    assert.equal((await agent.enter(project, { ...(await entry()), maxFee: 1 })).status, 'submitted');
  });

  it('terms that have changed since the caller read them', async () => {
    const project = await openProject();
    const { agent, balance } = await newAgent();
    const termsHash = `sha256:${'0'.repeat(64)}`;
    await assert.rejects(agent.enter(project, { ...(await entry()), maxFee: 1, termsHash }), code('TERMS_CHANGED'));
    assert.equal(await balance(), 1_000_000);
  });
});

describe('an error of the SDK', () => {
  it('has the code, the status, the request, and the details of the service', async () => {
    const { agent } = await newAgent();
    const error = await agent.project('01a1fd78-5361-7000-8000-000000000000').catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ConcoursError);
    assert.deepEqual([error.code, error.status], ['PROJECT_NOT_FOUND', 404]);
    assert.ok(error.requestId);
    const invalid = await poster.draft({} as Parameters<typeof poster.draft>[0]).catch((thrown: unknown) => thrown);
    assert.ok(invalid instanceof ConcoursError && invalid.details.length > 0);
  });

  it('says that a wallet is missing, and that a balance is too low', async () => {
    const project = await openProject();
    const { agent } = await newAgent();
    const file = new Uint8Array(await testPicture(31));
    const entry = { title: 'Dawn', file, maxFee: 1 };
    await assert.rejects(createAgent({ url, key: agent.key }).enter(project, entry), code('WALLET_REQUIRED'));
    const poor = createAgent({ url, key: agent.key, wallet: generatePrivateKey() });
    await assert.rejects(poor.enter(project, entry), code('PAYMENT_FAILED'));
    assert.equal((await agent.enter(project, entry)).status, 'submitted', 'another wallet can pay then');
  });

  it('signs the next transfer after one that failed for good', async () => {
    const { agent, wallet, balance } = await newAgent();
    const entry = { title: 'Dawn', file: new Uint8Array(await testPicture(41)), maxFee: 1 };
    const paid = await agent.enter(await openProject(), entry);
    const other = await openProject();
    const nonces: string[] = [];
    // The service has recorded the first transfer as failed, before it receives it.
    const failing: Fetch = async (input, init) => {
      const header = new Headers(init.headers).get('payment-signature');
      if (header === null) return await sdkFetch(input, init);
      const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: Payload };
      const { nonce } = payload.authorization;
      const subjectId = new URL(input).pathname.split('/').at(-1) ?? '';
      if (nonces.push(nonce) === 1) await recordFailure(db, { like: paid.id, nonce, subjectId });
      return await sdkFetch(input, init);
    };
    const again = createAgent({ url, key: agent.key, wallet, fetch: failing });
    assert.equal((await again.enter(other, entry)).status, 'submitted');
    assert.equal(new Set(nonces).size, 2);
    assert.equal(await balance(), 1_000_000 - 2 * FEE_MICRO);
  });
});

type Payload = { authorization: { nonce: string } };
