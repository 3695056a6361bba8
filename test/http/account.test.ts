import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer, fund } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, clock, errors } = world;
const { db } = world.service.deps;
const DAY_MS = 86_400_000;

const account = async (key: string) => expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
const midnightAfter = (at: Date) => new Date((Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS).toISOString();

describe('the quota of the day', () => {
  it('shows what is used and left, counts deleted intents, and is that of the quote', async () => {
    const project = await openProject(world);
    const { key } = await registerAgent(url);
    const empty = (await account(key)).quota;
    assert.deepEqual(empty, { limit: 5, used: 0, left: 5, resets_at: midnightAfter(world.service.deps.clock.now()) });
    await createIntent(url, key, project.id);
    expectStatus(await call(url, 'DELETE', `/agents/projects/${project.id}/intent`, { key }), 200);
    const { quota } = await account(key);
    assert.deepEqual([quota.used, quota.left], [1, 4]);
    const quote = await call(url, 'GET', `/agents/projects/${project.id}/quote`, { key });
    assert.deepEqual(quote.body.data.quota, quota);
  });

  it('starts again at midnight UTC', async () => {
    const project = await openProject(world, { deadline: new Date(Date.now() + 3 * DAY_MS) });
    const { key } = await registerAgent(url);
    await createIntent(url, key, project.id);
    const { resets_at } = (await account(key)).quota;
    await clock.at(new Date(Date.parse(resets_at) - 1), async () => assert.equal((await account(key)).quota.used, 1));
    await clock.at(new Date(resets_at), async () => assert.equal((await account(key)).quota.used, 0));
  });
});

type Entrant = { key: string; fetch: typeof fetch };

async function entrant(): Promise<Entrant> {
  const payer = newPayer();
  await fund(url, payer.address, 10);
  const { key } = await registerAgent(url);
  return { key, fetch: payer.pay };
}

const cap = async (key: string, body: object) =>
  expectStatus(await call(url, 'PUT', '/agents/me/budget', { key, body }), 200).body.data.budget;
const budgetOf = async (key: string) => (await account(key)).budget;

/** Creates an intent in a new project, and asks for the upload URL: without a payment, or with one. */
async function intentIn({ key }: Entrant, entryFeeUsdc: number) {
  const project = await openProject(world, { entryFeeUsdc, deadline: new Date(Date.now() + 3 * DAY_MS) });
  const { id: submissionId } = await createIntent(url, key, project.id);
  return { key, projectId: project.id, submissionId, sizeBytes: 1000 };
}
const paymentsOf = async (submissionId: string) => await db`select 1 from payments where subject_id = ${submissionId}`;

describe('PUT /agents/me/budget', () => {
  it('sets, keeps, and clears caps, and shows them in the profile', async () => {
    const { key } = await registerAgent(url);
    const none = await budgetOf(key);
    assert.deepEqual([none.per_entry, none.per_day, none.spent_today, none.left_today], [null, null, 0, null]);
    const set = await cap(key, { per_entry: '0.5', per_day: 5 });
    assert.deepEqual([set.per_entry, set.per_day, set.left_today], [0.5, 5, 5]);
    assert.deepEqual(await budgetOf(key), set);
    assert.deepEqual((await cap(key, { per_entry: null })).per_day, 5);
    assert.deepEqual((await cap(key, {})).per_entry, null);
  });

  it('names an amount that is no amount, and an unknown field', async () => {
    const { key } = await registerAgent(url);
    for (const body of [{ per_day: -1 }, { per_day: 1e-7 }, { per_entry: 'much' }, { per_entry: 1e7 }, { perDay: 1 }])
      codeIs(await call(url, 'PUT', '/agents/me/budget', { key, body }), 400, 'VALIDATION_ERROR');
    assert.equal((await budgetOf(key)).per_day, null);
  });
});

describe('an entry fee above a cap', () => {
  it('is refused before the 402 and with a payment, charges nothing, and is no failed payment', async () => {
    const agent = await entrant();
    const entry = await intentIn(agent, 0.25);
    for (const caps of [{ per_entry: 0.249999 }, { per_entry: null, per_day: 0.249999 }]) {
      await cap(agent.key, caps);
      const unpaid = await requestUpload(url, entry);
      codeIs(unpaid, 403, 'BUDGET_EXCEEDED', /0\.25 USDC not charged: .*0\.249999 USDC/);
      assert.equal(unpaid.headers.get('payment-required'), null);
      assert.match(unpaid.headers.get('ratelimit') ?? '', /"failedPayments";r=10;/);
      const quote = await call(url, 'GET', `/agents/projects/${entry.projectId}/quote`, { key: agent.key });
      assert.deepEqual(
        quote.body.data.reasons.map(({ code }: { code: string }) => code),
        ['BUDGET_EXCEEDED'],
      );
    }
    assert.equal((await paymentsOf(entry.submissionId)).length, 0);
    assert.equal((await budgetOf(agent.key)).spent_today, 0);
  });

  it('equal to a cap is taken; the day then has no room, a free project has, and midnight brings new room', async () => {
    const agent = await entrant();
    const [first, second, free] = [await intentIn(agent, 0.25), await intentIn(agent, 0.25), await intentIn(agent, 0)];
    await cap(agent.key, { per_entry: 0.25, per_day: 0.25 });
    expectStatus(await requestUpload(url, { ...first, fetch: agent.fetch }), 200);
    const spent = await budgetOf(agent.key);
    assert.deepEqual([spent.spent_today, spent.left_today], [0.25, 0]);
    codeIs(
      await requestUpload(url, { ...second, fetch: agent.fetch }),
      403,
      'BUDGET_EXCEEDED',
      /0\.25 USDC of it is spent/,
    );
    // A paid entry needs no further room, and a free one never does.
    expectStatus(await requestUpload(url, first), 200);
    expectStatus(await requestUpload(url, free), 200);
    await clock.at(new Date(spent.resets_at), async () => {
      assert.equal((await budgetOf(agent.key)).spent_today, 0);
      assert.equal((await requestUpload(url, second)).status, 402);
    });
    assert.equal((await paymentsOf(second.submissionId)).length, 0);
  });

  it('counts fees that were paid before the cap, and a refund gives no room back', async () => {
    const agent = await entrant();
    const [first, second] = [await intentIn(agent, 0.25), await intentIn(agent, 0.25)];
    expectStatus(await requestUpload(url, { ...first, fetch: agent.fetch }), 200);
    await cap(agent.key, { per_day: 0.4 });
    const body = { reason: 'Against the rules' };
    const cancel = `/operator/projects/${first.projectId}/cancel`;
    expectStatus(await call(url, 'POST', cancel, { key: world.operatorKey, body }), 200);
    const { spent_today, left_today } = await budgetOf(agent.key);
    assert.deepEqual([spent_today, left_today], [0.25, 0.15]);
    codeIs(await requestUpload(url, second), 403, 'BUDGET_EXCEEDED');
    await cap(agent.key, { per_day: 0.5 });
    expectStatus(await requestUpload(url, { ...second, fetch: agent.fetch }), 200);
    assert.equal((await budgetOf(agent.key)).left_today, 0);
  });
});

it('every answer of the budget was seen, and the service logged no errors', () => {
  assert.deepEqual(notSeen('setBudget'), []);
  assert.deepEqual(errors, []);
});
