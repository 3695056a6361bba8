import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  type Brief,
  ConcoursError,
  createAgent,
  createPoster,
  createVisitor,
  type EntryStep,
  type Fetch,
} from '../../sdk/src/index.ts';
import { testPicture } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// A poster and an agent use nothing but the SDK, from their registration to the delivery.

const FEE_MICRO = 250_000;

const { url, rpcUrl } = await sharedWorld();
const chain = chainAt(rpcUrl);
const folder = await mkdtemp(join(tmpdir(), 'concours-sdk-'));
after(() => rm(folder, { recursive: true }));

const poster = createPoster({ url, wallet: privateKeyToAccount(generatePrivateKey()), fetch: sdkFetch });
await poster.register({ poster_name: 'Almanac House' });
await poster.faucet(20);

const description = 'A poster that shows a lighthouse at dusk, calm water and one boat.';

const newBrief = (fields: Partial<Brief>) => ({
  title: 'A poster for a lighthouse festival',
  description,
  prize_amount: 1,
  entry_fee: FEE_MICRO / 1e6,
  specializations: ['logo-design'],
  auto_select_deadline: new Date(Date.now() + 3_600_000),
  ...fields,
});

async function openProject(fields: { entry_fee?: number; item_count?: number } = {}) {
  return await poster.publish(await poster.draft(newBrief(fields)), { maxPrize: 1 });
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

    let isFound = false;
    for await (const { id } of agent.projects({ specializations: ['logo-design'], max_entry_fee: 0.5 }))
      if ((isFound = id === project.id)) break;
    assert.ok(isFound);
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
    assert.equal((await agent.me()).wallet.proven, true, 'the wallet is proven after its first payment');
    assert.equal((await agent.enter(project, { file, maxFee: 0.25 })).id, entry.id, 'entering is safe to repeat');
    assert.equal(await balance(), 1_000_000 - FEE_MICRO);

    await poster.close(project);
    await until('judging', async () => (await poster.project(project)).status === 'judging');
    const [shown] = await Array.fromAsync(poster.entries(project));
    assert.equal(shown?.id, entry.id);
    assert.equal((await poster.note(project, entry.id, { mark: 'shortlist' })).mark, 'shortlist');
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
  });

  it('end an entry although the wallet does not sign the proof', async () => {
    const project = await openProject();
    const { agent, wallet } = await newAgent();
    const asked = { ...wallet, signMessage: () => new Promise<never>(() => {}) };
    const stop = new AbortController();
    const entry = await createAgent({ url, key: agent.key, wallet: asked, fetch: sdkFetch }).enter(project, {
      title: 'Dawn',
      file: new Uint8Array(await testPicture(13)),
      maxFee: 0.25,
      signal: stop.signal,
      onProgress: ({ step }) => step === 'done' && stop.abort(),
    });
    assert.equal(entry.status, 'submitted');
  });

  it('enter a set of pictures, from bytes and from a Blob', async () => {
    const project = await openProject({ item_count: 2 });
    const { agent, balance } = await newAgent();
    const files = [new Uint8Array(await testPicture(11)), new Blob([await testPicture(12, 'webp')])];
    const entry = await agent.enter(project, { title: 'Two lights', files, maxFee: '0.25' });
    const shown = entry.files.map(({ item, state }) => `${item} ${state}`);
    assert.deepEqual(shown, ['1 confirmed', '2 confirmed']);
    assert.equal(await balance(), 1_000_000 - FEE_MICRO, 'one fee for the set');
  });
});

describe('a poster with the SDK', () => {
  it('copies and deletes a draft, and attaches reference pictures once', async () => {
    const kept = { item_count: 3, gallery: 'private', judging_hours: 5, max_entries: 7 } as const;
    const texts = { requirements: 'No text.', style_references: ['https://style.example/'], size_requirements: '4:3' };
    const brief = newBrief({ ...kept, ...texts, licence: 'exclusive', tags: ['a'], color_preferences: ['red'] });
    const project = await poster.draft(brief);
    const changed = await poster.update(project, { title: 'A sign for a bakery', prize_amount: '2.5' });
    assert.deepEqual([changed.title, changed.prize_amount], ['A sign for a bakery', 2_500_000]);
    const bytes = new Uint8Array(await testPicture(71));
    const added = await poster.references.add(project, bytes);
    assert.equal((await poster.references.add(project, bytes)).id, added.id, 'the same bytes');
    const { prize_amount, entry_fee, auto_select_deadline } = brief;
    const money = { prize_amount, entry_fee, auto_select_deadline };
    const copy = await poster.duplicate(project, { ...money, ...({ gallery: undefined } as object) });
    assert.deepEqual([copy.status, copy.prize_amount_micro], ['draft', project.prize_amount_micro]);
    // The copy has each text and setting of the project.
    const own = /^id$|^(?:prize_amount|winner_receives|expected_value)|^(?:created|updated|drafted)_at$/;
    const shared = (of: object) => Object.fromEntries(Object.entries(of).filter(([name]) => !own.test(name)));
    assert.deepEqual(shared(copy), shared(changed));
    assert.equal((await poster.references.list(copy)).length, 1);
    await poster.references.remove(project, added.id);
    assert.deepEqual(await poster.references.list(project), []);
    await poster.delete(project);
    await poster.delete(project);
    await assert.rejects(poster.project(project), code('PROJECT_NOT_FOUND'));
  });

  it('answers a question of an agent, which everybody reads', async () => {
    const project = await openProject();
    const { agent } = await newAgent();
    const { id } = await agent.ask(project, 'Which size?');
    for await (const each of poster.questions(project, { filter: 'unanswered' }))
      await poster.answer(project, each.id, 'A2.');
    const shown = await Array.fromAsync(createVisitor({ url }).questions(project), (each) => [each.id, each.answer]);
    assert.deepEqual(shown, [[id, 'A2.']]);
  });

  it('creates, lists, and revokes keys, as an agent does', async () => {
    const { agent } = await newAgent();
    for (const account of [poster, agent]) {
      const { keyId, apiKey } = await account.keys.create('Dashboard', 'read');
      const reader = createPoster({ url, key: apiKey, fetch: sdkFetch });
      const keys = account === poster ? reader.keys : createAgent({ url, key: apiKey, fetch: sdkFetch }).keys;
      assert.deepEqual(
        (await keys.list()).map(({ name, current }) => [name, current]),
        [
          ['Dashboard', true],
          [null, false],
        ],
      );
      await assert.rejects(keys.create('More', 'read'), code('KEY_SCOPE'));
      await account.keys.revoke(keyId);
      await assert.rejects(keys.list(), code('INVALID_API_KEY'));
    }
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
});
