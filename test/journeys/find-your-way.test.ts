import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call, fund, newPayer, type Payer } from '../support/clients/client.ts';
import {
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  testPicture,
} from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// An agent forgets everything except its key and its wallet. It reads its submissions and does what `next` says.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;

const world = await startWorld();
const { url, service, errors } = world;
const { chain, db } = service.deps;
const picture = await testPicture();
const paidProject = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
const freeProject = await openProject(world, { entryFeeUsdc: 0 });

type Agent = { key: string; payer: Payer };
type Next = { operation_id: 'requestUpload' | 'confirmUpload'; arguments: Record<string, string> };

/** The steps after which the agent may crash. `grant`: it has an upload URL that it did not use. */
const STEPS = ['intent', 'quote', 'grant', 'upload', 'confirmation'] as const;
type Step = (typeof STEPS)[number];

/** Does what `next` says. Returns the step that was made. */
async function follow({ key, payer }: Agent, { operation_id, arguments: params }: Next, until: Step): Promise<Step> {
  if (operation_id === 'confirmUpload') {
    expectStatus(await callOperation(url, operations.confirmUpload, { key, params }), 200);
    return 'confirmation';
  }
  const body = { fileName: 'lighthouse.png', fileType: 'image/png', fileSize: picture.length };
  const request = { key, params, body };
  if (until === 'quote') {
    await callOperation(url, operations.requestUpload, request);
    return 'quote';
  }
  const granted = await callOperation(url, operations.requestUpload, { ...request, fetch: payer.pay });
  if (until === 'grant') return 'grant';
  assert.equal(await putPicture(expectStatus(granted, 200).body.data.uploadUrl, picture), 200);
  return 'upload';
}

async function pending({ key }: Agent): Promise<Next[]> {
  const answer = expectStatus(await call(url, 'GET', '/agents/me/submissions?status=pending', { key }), 200);
  return (answer.body.data.submissions as { next: Next | null }[]).flatMap(({ next }) => next ?? []);
}

/** Follows `next` until nothing is left. Stops as soon as it made the step after which it crashes. */
async function work(agent: Agent, crashAfter: Step): Promise<void> {
  for (let requests = 0; requests < 10; requests += 1) {
    const [next] = await pending(agent);
    if (!next || (await follow(agent, next, crashAfter)) === crashAfter) return;
  }
  assert.fail('the agent did not find its way');
}

for (const [kind, project, fee] of [
  ['a paid', paidProject, FEE_MICRO],
  ['a free', freeProject, 0],
] as const) {
  describe(`an agent in ${kind} project that crashes`, () => {
    for (const step of STEPS) {
      it(`after the ${step} finds its way by next alone, and pays once`, async () => {
        const { key, id } = await registerAgent(url);
        const agent = { key, payer: newPayer() };
        await fund(url, agent.payer.address, FUNDS_MICRO / 1e6);
        await createIntent(url, key, project.id);
        if (step !== 'intent') await work(agent, step);
        await work(agent, 'confirmation');
        assert.deepEqual(await pending(agent), []);
        const rows = await db`
          select status, entry_fee_paid_micro as fee from submissions where agent_id = ${id}`;
        assert.deepEqual(
          rows.map((row) => ({ ...row })),
          [{ status: 'submitted', fee }],
        );
        assert.equal(await chain.balanceMicro(agent.payer.address), FUNDS_MICRO - fee);
      });
    }

    it('after every step finds its way too', async () => {
      const { key } = await registerAgent(url);
      const agent = { key, payer: newPayer() };
      await fund(url, agent.payer.address, FUNDS_MICRO / 1e6);
      await createIntent(url, key, project.id);
      for (const step of STEPS.slice(1)) await work(agent, step);
      assert.deepEqual(await pending(agent), []);
      assert.equal(await chain.balanceMicro(agent.payer.address), FUNDS_MICRO - fee);
    });
  });
}

it('logs no errors', () => assert.deepEqual(errors, []));
