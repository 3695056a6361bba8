import assert from 'node:assert/strict';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import {
  asPoster,
  choose,
  close,
  type Contestant,
  enter,
  FUNDS_MICRO,
  review,
} from '../support/clients/contestants.ts';
import {
  confirm,
  createIntent,
  drawing,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { ownProject } from '../support/endings/ending.ts';
import { download, type Originals } from '../support/files/delivery.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Agents enter: one that knows only the specification, one that forgets everything except its key and its wallet, and one
// with a set of pictures. A set is one entry: one fee, one place, one score, and one prize.

const world = await sharedWorld();
const { url } = world;
const chain = chainAt(world.rpcUrl);
const FEE_MICRO = 250_000;
const ITEMS = 20;
const picture = await testPicture();
/** No other project has these fees, so that a search by fee finds only the own project. */
const uniqueFeeMicro = () => 100_000 + randomInt(100_000);

const get = async (key: string, path: string) => expectStatus(await call(url, 'GET', path, { key }), 200).body.data;

it('an agent registers, finds a project, pays, enters, wins, and reads its history, as the specification says', async () => {
  const feeMicro = uniqueFeeMicro();
  const project = await openProject(world, { prizeUsdc: 2, entryFeeUsdc: feeMicro / 1e6 });
  const { id, key } = await registerAgent(url, { model_info: { model_type: 'diffusion', version: '3' } });
  const { specializations } = await get(key, '/agents/specializations');
  assert.ok(specializations.some((each: { id: string }) => each.id === 'logo-design'));
  const settings = { minBudget: 1, preferredCategories: ['Design'] };
  const updated = await call(url, 'PUT', '/agents/me', {
    key,
    body: { description: 'Paints lighthouses at every hour of the day.', settings },
  });
  expectStatus(updated, 200);
  const webhook_url = `https://${randomUUID()}.example/hooks`;
  const subscribe = () => call(url, 'POST', '/agents/webhooks/projects', { key, body: { webhook_url } });
  const created = expectStatus(await subscribe(), 201).body.data;
  const replaced = expectStatus(await subscribe(), 200).body.data;
  assert.equal(replaced.subscription_id, created.subscription_id);
  assert.match(replaced.webhook_secret, /^[0-9a-f]{64}$/);
  assert.notEqual(replaced.webhook_secret, created.webhook_secret);

  const fee = feeMicro / 1e6;
  const query = `specializations=logo-design&status=open&min_entry_fee=${fee}&max_entry_fee=${fee}&order_by=prize_amount`;
  const found = await until('the project is found', async () => {
    const { projects, pagination } = await get(key, `/agents/projects?${query}`);
    assert.deepEqual([pagination.limit, pagination.offset, pagination.has_more], [20, 0, false]);
    return (projects as { id: string }[]).find((each) => each.id === project.id);
  });
  const { project: detail } = await get(key, `/agents/projects/${found.id}`);
  assert.deepEqual([detail.prize_amount, detail.entry_fee, detail.status], [2_000_000, feeMicro, 'open']);

  const intent = await call(url, 'POST', `/agents/projects/${project.id}/intent`, { key, body: { title: 'At dusk' } });
  const { submission } = expectStatus(intent, 201).body.data;
  assert.equal(submission.status, 'pending');
  const request = { key, projectId: project.id, submissionId: submission.id as string, sizeBytes: picture.length };
  const refusal = expectStatus(await requestUpload(url, request), 402);
  // Version 1 of x402 reads the body, and version 2 the header.
  assert.equal(refusal.body.accepts[0].maxAmountRequired, String(feeMicro));
  assert.ok(refusal.headers.get('payment-required'));
  const payer = newPayer();
  await fund(url, payer.address, 1);
  const headers = await signPayment(payer, refusal);
  const granted = expectStatus(await requestUpload(url, { ...request, headers }), 200).body.data;
  assert.equal(granted.submissionId, submission.id);
  assert.equal(await putPicture(granted.uploadUrl, picture), 200);
  const confirmed = expectStatus(await confirm(url, key, project.id, submission.id), 200).body.data;
  assert.equal(confirmed.status, 'submitted');

  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, { submissionId: submission.id }), 200);
  const { submissions, summary, pagination } = await until('the prize is paid', async () => {
    const history = await get(key, '/agents/me/history?status=won&limit=5');
    return history.submissions[0]?.payoutStatus === 'settled' && history;
  });
  const [{ projectId, status, earnings, rank }] = submissions;
  assert.deepEqual([projectId, status, earnings, rank], [project.id, 'won', 1.9, 1]);
  assert.deepEqual([summary.totalWins, summary.totalEarnings, pagination.total], [1, 1.9, 1]);
  const me = await get(key, '/agents/me');
  assert.deepEqual([me.agent.id, me.wallet.address, me.webhooks.length], [id, payer.address, 1]);
  assert.equal(me.wallet.balance, Math.round((1 - fee + 1.9) * 1e6) / 1e6);
  const analytics = await get(key, '/agents/me/analytics?metric=winRate&timeframe=30d');
  assert.equal(analytics.metric, 'winRate');
  expectStatus(await call(url, 'DELETE', `/agents/me/webhooks/${me.webhooks[0].id}`, { key }), 200);
});

type Agent = { key: string; payer: Payer };
type Next = { operation_id: 'requestUpload' | 'confirmUpload'; arguments: Record<string, string> };

/** The steps after which the agent may crash. `grant`: it has an upload URL that it did not use. */
const STEPS = ['intent', 'quote', 'grant', 'upload', 'confirmation'] as const;
type Step = (typeof STEPS)[number];

/** Does what `next` says. Returns the step that was made. */
async function follow({ key, payer }: Agent, { operation_id, arguments: params }: Next, last: Step): Promise<Step> {
  if (operation_id === 'confirmUpload') {
    expectStatus(await callOperation(url, operations.confirmUpload, { key, params }), 200);
    return 'confirmation';
  }
  const body = { fileName: 'lighthouse.png', fileType: 'image/png', fileSize: picture.length };
  const request = { key, params, body };
  if (last === 'quote') {
    await callOperation(url, operations.requestUpload, request);
    return 'quote';
  }
  const granted = await callOperation(url, operations.requestUpload, { ...request, fetch: payer.pay });
  if (last === 'grant') return 'grant';
  assert.equal(await putPicture(expectStatus(granted, 200).body.data.uploadUrl, picture), 200);
  return 'upload';
}

async function pending({ key }: Agent): Promise<Next[]> {
  const { submissions } = await get(key, '/agents/me/submissions?status=pending');
  return (submissions as { next: Next | null }[]).flatMap(({ next }) => next ?? []);
}

/** Follows `next` until nothing is left. Stops as soon as it made the step after which it crashes. */
async function work(agent: Agent, crashAfter: Step): Promise<void> {
  for (let requests = 0; requests < 10; requests += 1) {
    const [next] = await pending(agent);
    if (!next || (await follow(agent, next, crashAfter)) === crashAfter) return;
  }
  assert.fail('the agent did not find its way');
}

for (const fee of [0.25, 0]) {
  describe(`an agent in a project with a fee of ${fee} USDC that crashes`, async () => {
    const project = await openProject(world, { entryFeeUsdc: fee });
    for (const step of STEPS) {
      it(`after the ${step} finds its way by next alone, and pays once`, async () => {
        const { key } = await registerAgent(url);
        const agent = { key, payer: newPayer() };
        await fund(url, agent.payer.address, 1);
        await createIntent(url, key, project.id);
        if (step !== 'intent') await work(agent, step);
        await work(agent, 'confirmation');
        assert.deepEqual(await pending(agent), []);
        const { submissions } = await get(key, '/agents/me/submissions');
        assert.deepEqual(
          submissions.map((each: Record<string, unknown>) => [each['status'], each['entry_fee_paid']]),
          [['submitted', fee * 1e6]],
        );
        assert.equal((await get(key, '/agents/me/money')).total.fees_micro, fee * 1e6);
      });
    }
  });
}

/** Enters a project with pictures of these items. Returns the answer of the confirmation. */
async function enterSet(project: { id: string }, items: number[], seed: number) {
  const contestant = await enter(world, project, { until: 'paid' });
  const { key, submissionId } = contestant;
  const pictures = new Map<number, Buffer>();
  for (const item of items) {
    const bytes = await drawing(seed * 100 + item);
    const request = { key, projectId: project.id, submissionId, sizeBytes: bytes.length, item };
    const { data } = expectStatus(await requestUpload(url, request), 200).body;
    assert.equal(data.entry_fee_paid, FEE_MICRO);
    assert.equal(await putPicture(data.uploadUrl, bytes), 200);
    pictures.set(item, bytes);
  }
  const { data } = expectStatus(await confirm(url, key, project.id, submissionId, { items: items.length }), 200).body;
  assert.deepEqual(data.items, items);
  await assertKept(contestant, pictures);
  return contestant;
}

/** Asserts that the original of each item is kept byte for byte, with its hash. */
async function assertKept({ key, submissionId }: Contestant, pictures: Map<number, Buffer>): Promise<void> {
  const answer = expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}/files`, { key }), 200);
  const { files } = answer.body.data as Originals;
  assert.deepEqual(
    files.map(({ item }) => item),
    [...pictures.keys()],
  );
  for (const { item, sha256, url: target } of files) {
    const { bytes } = await download(target);
    assert.deepEqual(bytes, pictures.get(item));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
}

async function historyOf({ key }: Contestant) {
  const { data } = expectStatus(await call(url, 'GET', '/agents/me/history?limit=100', { key }), 200).body;
  return data.submissions as Record<string, unknown>[];
}

it('a project that asks for 20 pictures is won by one entry, which is paid once', async () => {
  const project = await openProject(world, {
    prizeUsdc: 20,
    entryFeeUsdc: FEE_MICRO / 1e6,
    fields: { item_count: ITEMS, max_entries: 3 },
  });
  const all = Array.from({ length: ITEMS }, (_, index) => index + 1);
  const whole = await enterSet(project, all, ITEMS);
  const part = await enterSet(project, all.slice(1), ITEMS + 1);
  // A client of the specification knows one file and sends no body.
  const plain = await enter(world, project, { seed: 9 });
  const own = await ownProject(world, project);
  assert.deepEqual([own['total_submissions'], own['places_left']], [3, 0]);

  const gallery = expectStatus(await asPoster(world, project, ['GET', '/submissions']), 200).body.data;
  assert.deepEqual(
    (gallery.submissions as { id: string; items: unknown[] }[]).map(({ id, items }) => [id, items.length]),
    [
      [whole.submissionId, ITEMS],
      [part.submissionId, ITEMS - 1],
      [plain.submissionId, 1],
    ],
  );
  expectStatus(await review(world, project, part, 3), 200);
  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, whole), 200);
  const receives = own['winner_receives_micro'] as number;
  await until('the prize', async () => {
    const balance = await chain.balanceMicro(whole.payer.address);
    return balance === FUNDS_MICRO - FEE_MICRO + receives;
  });
  for (const { payer } of [part, plain]) assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO);
  for (const [contestant, status] of [
    [whole, 'won'],
    [part, 'lost'],
    [plain, 'lost'],
  ] as const) {
    const history = await historyOf(contestant);
    assert.deepEqual(
      history.map((entry) => entry['status']),
      [status],
    );
  }
  await until('completed', async () => (await ownProject(world, project))['status'] === 'completed');
  const profile = expectStatus(await call(url, 'GET', `/agents/${whole.id}/public`), 200).body.data;
  assert.equal(profile.recentWins.length, 1);
});
