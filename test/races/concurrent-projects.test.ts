import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { cloneProject, enterQuickly } from '../support/rows/cloned-projects.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  requestUpload,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const DAY_MS = 86_400_000;
const world = await startWorld({
  connections: 10,
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000', LIMIT_AGENT_OPERATIONS_PER_HOUR: '10000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { enter, upload, confirmOf, intentOf } = entriesOf(world);

const set = ({ key }: Pick<Registered, 'key'>, settings: object): Promise<Answer> =>
  call(url, 'PUT', '/agents/me', { key, body: { settings } });
const setTier = (agent: Registered, tier: string) => db`update agents set tier = ${tier} where id = ${agent.id}`;

const project = await openProject(world, { entryFeeUsdc: 0 });
const clones = (count: number, columns: Record<string, unknown> = {}) =>
  // Open, also after a test has moved the clock past the project's deadline.
  Promise.all(Array.from({ length: count }, () => cloneProject(db, project.id, { status: 'open', ...columns })));

describe('maxConcurrentProjects', () => {
  it('limits the open unconfirmed intents; a confirmation makes room', async () => {
    const agent = await enter(project.id);
    expectStatus(await set(agent, { maxConcurrentProjects: 2 }), 200);
    const [second, third] = await clones(2);
    expectStatus(await intentOf(agent.key, second!), 201);
    const refused = await intentOf(agent.key, third!);
    codeIs(refused, 409, 'INTENT_LIMIT_REACHED', /2 open intents.*maxConcurrentProjects is 2/);
    codeIs(await intentOf(agent.key, second!), 409, 'INTENT_ALREADY_EXISTS');
    await upload(agent);
    codeIs(await intentOf(agent.key, third!), 409, 'INTENT_LIMIT_REACHED');
    expectStatus(await confirmOf(agent), 200);
    expectStatus(await intentOf(agent.key, third!), 201);
    expectStatus(await set(agent, { maxConcurrentProjects: 1 }), 200);
    codeIs(await intentOf(agent.key, (await clones(1))[0]!), 409, 'INTENT_LIMIT_REACHED');
  });

  it('ignores intents whose deadline has passed, to the millisecond, or whose project is not open', async () => {
    const agent = await registerAgent(url);
    expectStatus(await set(agent, { maxConcurrentProjects: 1 }), 200);
    const now = clock.now();
    const deadline = new Date(now.getTime() + 600_000);
    const later = new Date(now.getTime() + 86_400_000);
    const [ends] = await clones(1, { auto_select_deadline: deadline });
    const [next, last, free] = await clones(3, { auto_select_deadline: later });
    await clock.at(now, async () => expectStatus(await intentOf(agent.key, ends!), 201));
    await clock.at(deadline.getTime() - 1, async () =>
      codeIs(await intentOf(agent.key, next!), 409, 'INTENT_LIMIT_REACHED'),
    );
    await clock.at(deadline, async () => {
      expectStatus(await intentOf(agent.key, next!), 201);
      codeIs(await intentOf(agent.key, last!), 409, 'INTENT_LIMIT_REACHED');
      for (const status of ['judging', 'completed', 'cancelled']) {
        await db`update projects set status = ${status} where id = ${next!}`;
        const [another] = await clones(1, { auto_select_deadline: later });
        expectStatus(await intentOf(agent.key, another!), 201);
        codeIs(await intentOf(agent.key, free!), 409, 'INTENT_LIMIT_REACHED');
        await db`delete from submissions where agent_id = ${agent.id} and project_id = ${another!}`;
        await db`update projects set status = 'open' where id = ${next!}`;
      }
    });
  });

  it('holds for concurrent requests, also while it is lowered', async () => {
    const agent = await registerAgent(url);
    await setTier(agent, 'pro');
    expectStatus(await set(agent, { maxConcurrentProjects: 7 }), 200);
    const many = await clones(20);
    const answers = await Promise.all(many.map((id) => intentOf(agent.key, id)));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 7);
    assert.equal(answers.filter(({ body }) => body.error?.code === 'INTENT_LIMIT_REACHED').length, 13);
    const other = await registerAgent(url);
    await setTier(other, 'pro');
    expectStatus(await set(other, { maxConcurrentProjects: 20 }), 200);
    const [lowered] = await Promise.all([
      set(other, { maxConcurrentProjects: 1 }),
      ...many.map((id) => intentOf(other.key, id)),
    ]);
    expectStatus(lowered, 200);
    codeIs(await intentOf(other.key, (await clones(1))[0]!), 409, 'INTENT_LIMIT_REACHED');
  });

  it('differs from the daily quota, which the service reports first', async () => {
    const agent = await registerAgent(url);
    const [next, ...entered] = await clones(6);
    for (const projectId of entered) await enterQuickly(db, { projectId, agentId: agent.id, at: clock.now() });
    codeIs(await intentOf(agent.key, next!), 429, 'RATE_LIMIT_EXCEEDED', /starter tier/);
    // On the next day, while the intents are younger than 24 hours.
    const midnight = (Math.floor(clock.now().getTime() / 86_400_000) + 1) * 86_400_000;
    await db`update projects set auto_select_deadline = ${new Date(midnight + 3 * 86_400_000)} where id = any(${[next!, ...entered]})`;
    await clock.at(midnight, async () => codeIs(await intentOf(agent.key, next!), 409, 'INTENT_LIMIT_REACHED'));
  });

  it('ignores unpaid intents without activity for 24 hours, to the millisecond', async () => {
    const agent = await registerAgent(url);
    expectStatus(await set(agent, { maxConcurrentProjects: 2 }), 200);
    const now = clock.now().getTime();
    const [quiet, busy, third, fourth] = await clones(4, { auto_select_deadline: new Date(now + 5 * DAY_MS) });
    await clock.at(now, async () => {
      for (const id of [quiet!, busy!]) expectStatus(await intentOf(agent.key, id), 201);
    });
    const submissionId = (
      await db<{ id: string }[]>`select id from submissions where project_id = ${busy!} and agent_id = ${agent.id}`
    )[0]!.id;
    const entry = { key: agent.key, agentId: agent.id, projectId: busy!, submissionId, sizeBytes: 1000 };
    await clock.at(now + DAY_MS - 1, async () => {
      codeIs(await intentOf(agent.key, third!), 409, 'INTENT_LIMIT_REACHED', /2 open intents/);
      // A new upload URL is activity.
      expectStatus(await requestUpload(url, entry), 200);
    });
    await clock.at(now + DAY_MS, async () => {
      expectStatus(await intentOf(agent.key, third!), 201);
      const refused = await intentOf(agent.key, fourth!);
      codeIs(refused, 409, 'INTENT_LIMIT_REACHED', /2 open intents/);
      const named = (refused.body.error.details as { message: string }[]).map(({ message }) => message);
      assert.equal(named[0], submissionId);
    });
    // A paid entry counts until it is confirmed.
    await db`update submissions set entry_fee_paid_micro = 250000 where id = ${submissionId}`;
    await clock.at(now + 3 * DAY_MS, async () => {
      expectStatus(await intentOf(agent.key, fourth!), 201);
      const [next] = await clones(1, { auto_select_deadline: new Date(now + 5 * DAY_MS) });
      codeIs(await intentOf(agent.key, next!), 409, 'INTENT_LIMIT_REACHED', /2 open intents/);
    });
  });

  it('follows the tier while it is unset', async () => {
    const agent = await registerAgent(url);
    const [sixth, ...entered] = await clones(6);
    for (const projectId of entered) await enterQuickly(db, { projectId, agentId: agent.id, at: clock.now() });
    await setTier(agent, 'pro');
    clock.offsetMs += 1_000;
    expectStatus(await intentOf(agent.key, sixth!), 201);
  });
});

it('nothing failed', () => assert.deepEqual(errors, []));
