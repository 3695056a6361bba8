import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { asPoster, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import {
  brief,
  confirm,
  createIntent,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Attacks of a security review: posters who take the work or the time of agents and do not pay, and parties who register
// many agents to share a prize that nobody judged.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FEE_MICRO = 100_000;
const world = await startWorld({
  env: {
    CLOSE_NOTICE_MINUTES: '15',
    ...Object.fromEntries(
      ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_AGENT_OPERATIONS_PER_HOUR'].map((name) => [
        name,
        '100000',
      ]),
    ),
  },
});
const { url, clock, service, errors } = world;
const { chain } = service.deps;

const patch = (project: OpenProject, deadline: Date | string) =>
  asPoster(world, project, ['PATCH', '', { auto_select_deadline: new Date(deadline).toISOString() }]);
const deadlineOf = async (project: OpenProject) =>
  Date.parse(String((await ownProject(world, project))['auto_select_deadline']));
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);

async function ended(project: OpenProject, status: string): Promise<Record<string, unknown>> {
  return await until(status, async () => {
    const own = await ownProject(world, project);
    return own['status'] === status && own['payout_status'] === 'settled' && own;
  });
}

describe('a poster that never lets a project end', () => {
  it('cannot draft or publish a project with a deadline after 30 days', async () => {
    const { key } = await registerPoster(url);
    for (const auto_select_deadline of ['9999-12-31T23:59:59Z', inDays(30.01).toISOString()]) {
      const drafted = await call(url, 'POST', '/posters/me/projects', {
        key,
        body: { ...brief(), auto_select_deadline },
      });
      codeIs(drafted, 400, 'VALIDATION_ERROR', /auto_select_deadline: must not be later than/);
    }
    const drafted = expectStatus(
      await call(url, 'POST', '/posters/me/projects', { key, body: brief({ deadline: inDays(29) }) }),
      201,
    );
    const { id } = drafted.body.data.project;
    const late = { auto_select_deadline: inDays(31).toISOString() };
    codeIs(await call(url, 'PATCH', `/posters/me/projects/${id}`, { key, body: late }), 400, 'VALIDATION_ERROR');
    // As if the operator had shortened the bound since.
    await service.deps.db`update projects set auto_select_deadline = ${inDays(31)} where id = ${id}`;
    const publish = await call(url, 'POST', `/posters/me/projects/${id}/publish`, { key, fetch: newPayer().pay });
    codeIs(publish, 400, 'VALIDATION_ERROR', /auto_select_deadline/);
  });

  it('cannot move the deadline beyond the latest one, which publication fixes', async () => {
    const project = await openProject(world, { deadline: inDays(1) });
    const { latest_deadline, published_at } = await ownProject(world, project);
    assert.equal(Date.parse(String(latest_deadline)) - Date.parse(String(published_at)), 30 * DAY_MS);
    codeIs(await patch(project, '9999-12-31T23:59:59Z'), 400, 'VALIDATION_ERROR', /must not be later than/);
    for (const days of [10, 20, 29]) expectStatus(await patch(project, inDays(days)), 200);
    expectStatus(await patch(project, String(latest_deadline)), 200);
    codeIs(await patch(project, new Date(Date.parse(String(latest_deadline)) + 1)), 400, 'VALIDATION_ERROR');
    const { key } = await registerAgent(url);
    const detail = expectStatus(await call(url, 'GET', `/agents/projects/${project.id}`, { key }), 200);
    assert.equal(detail.body.data.project.latest_deadline, latest_deadline);
  });

  for (const step of ['paid', 'confirmed'] as const) {
    it(`can move it once, by at most 24 hours, after an entry is ${step}`, async () => {
      const project = await openProject(world, { deadline: inDays(1) });
      // Extensions before the first entry do not count.
      expectStatus(await patch(project, inDays(2)), 200);
      await enter(world, project, { until: 'intent' });
      expectStatus(await patch(project, inDays(3)), 200);
      await enter(world, project, { until: step });
      const before = await deadlineOf(project);
      codeIs(await patch(project, new Date(before + DAY_MS + 1)), 400, 'VALIDATION_ERROR', /24 hours/);
      expectStatus(await patch(project, new Date(before + DAY_MS)), 200);
      codeIs(await patch(project, new Date(before + DAY_MS + 1)), 409, 'PROJECT_STATE_CONFLICT', /extended once/);
      assert.equal(await deadlineOf(project), before + DAY_MS);
    });
  }
});

describe('a poster that closes a project right after a payment', () => {
  it('must give the agent its time; no other agent pays any more', async () => {
    const project = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0.1, deadline: inDays(1) });
    await enter(world, project);
    const [victim, waiting] = [await enter(world, project, { until: 'paid' }), await registerAgent(url)];
    const { id: submissionId } = await createIntent(url, waiting.key, project.id);
    const closed = expectStatus(await close(world, project), 200).body.data.project;
    assert.equal(closed.status, 'open');
    const noticeMs = Date.parse(closed.closes_at) - clock.now().getTime();
    assert.ok(noticeMs > 14 * MINUTE_MS && noticeMs <= 15 * MINUTE_MS);
    clock.offsetMs += MINUTE_MS;
    const again = expectStatus(await close(world, project), 200).body.data.project;
    assert.equal(again.closes_at, closed.closes_at);

    // Nobody new gets in, and nothing is charged.
    const picture = await testPicture(9);
    const payer = newPayer();
    await world.chain.mintUsdc(payer.address, 1_000_000);
    const request = { key: waiting.key, projectId: project.id, submissionId, sizeBytes: picture.length };
    codeIs(await requestUpload(url, { ...request, fetch: payer.pay }), 409, 'PROJECT_NOT_ACCEPTING', /closes it at/);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
    const another = await registerAgent(url);
    const intent = await call(url, 'POST', `/agents/projects/${project.id}/intent`, {
      key: another.key,
      body: { title: 'Too late' },
    });
    codeIs(intent, 409, 'PROJECT_NOT_ACCEPTING', /open/);
    codeIs(await patch(project, inDays(1.5)), 409, 'PROJECT_STATE_CONFLICT', /closes at/);

    // The victim gets another upload URL and confirms in the last minute of the notice.
    clock.offsetMs += 13 * MINUTE_MS;
    const upload = { key: victim.key, projectId: project.id, submissionId: victim.submissionId };
    const grant = expectStatus(await requestUpload(url, { ...upload, sizeBytes: picture.length }), 200);
    assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(url, victim.key, project.id, victim.submissionId), 200);
    clock.offsetMs += MINUTE_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
  });

  it('gives the fee back to an agent that could not confirm', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0.1, deadline: inDays(1) });
    await enter(world, project);
    const victim = await enter(world, project, { until: 'paid' });
    expectStatus(await close(world, project), 200);
    clock.offsetMs += 16 * MINUTE_MS;
    await until('the refund', async () => (await chain.balanceMicro(victim.payer.address)) === FUNDS_MICRO);
    assert.equal((await ownProject(world, project))['status'], 'judging');
    await assertBooks(world);
  });

  it('does not shorten the time by closing in its last minutes', async () => {
    const project = await openProject(world, {
      entryFeeUsdc: 0.1,
      deadline: new Date(clock.now().getTime() + 10 * MINUTE_MS),
    });
    await enter(world, project);
    const paid = await enter(world, project, { until: 'paid' });
    const closed = expectStatus(await close(world, project), 200).body.data.project;
    assert.equal(closed.closes_at, closed.auto_select_deadline);
    clock.offsetMs += 11 * MINUTE_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    assert.equal(await chain.balanceMicro(paid.payer.address), FUNDS_MICRO - FEE_MICRO);
  });

  it('lets a free entry confirm whose upload URL it issued before', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0, deadline: inDays(1) });
    await enter(world, project);
    const [agent, picture] = [await registerAgent(url), await testPicture(4)];
    const { id: submissionId } = await createIntent(url, agent.key, project.id);
    const request = { key: agent.key, projectId: project.id, submissionId, sizeBytes: picture.length };
    const grant = expectStatus(await requestUpload(url, request), 200);
    expectStatus(await close(world, project), 200);
    clock.offsetMs += 10 * MINUTE_MS;
    assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(url, agent.key, project.id, submissionId), 200);
    clock.offsetMs += 6 * MINUTE_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    assert.equal((await ownProject(world, project))['total_submissions'], 2);
  });
});

describe('a party that registers many agents', () => {
  const silent = (entryFeeUsdc: number, prizeUsdc: number) =>
    openProject(world, {
      entryFeeUsdc,
      prizeUsdc,
      deadline: new Date(clock.now().getTime() + HOUR_MS),
      fields: { judging_hours: 1 },
    });

  async function pass(project: OpenProject): Promise<void> {
    clock.offsetMs += HOUR_MS + MINUTE_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    clock.offsetMs += HOUR_MS;
  }

  it('gets nothing for 30 identical free entries of a silent poster', async () => {
    const project = await silent(0, 1);
    const honest = await enter(world, project, { picture: await drawing(1) });
    const copy = await drawing(2);
    const farm: Contestant[] = [];
    for (let index = 0; index < 30; index += 1)
      farm.push(await enter(world, project, { picture: copy, wallet: 'none' }));
    await pass(project);
    const own = await ended(project, 'cancelled');
    assert.deepEqual([own['cancel_reason'], own['total_submissions']], ['silence', 31]);
    const shares = await service.deps.db`select 1 from payouts where project_id = ${project.id} and kind <> 'refund'`;
    assert.equal(shares.length, 0);
    assert.equal(await chain.balanceMicro(project.funder.address), 950_000);
    assert.equal(await chain.balanceMicro(honest.payer.address), FUNDS_MICRO);
    await assertBooks(world);
  });

  it('gets one capped share for each wallet and picture, where the others get theirs', async () => {
    const project = await silent(0.1, 20);
    const honest = await enter(world, project, { picture: await drawing(31) });
    // Six agents: three paid from one wallet, and three sent one picture.
    const payer = newPayer();
    await world.chain.mintUsdc(payer.address, 1_000_000);
    for (const seed of [32, 33, 34])
      await enter(world, project, { picture: await drawing(seed), payer, wallet: 'none' });
    const copies: Contestant[] = [];
    for (let index = 0; index < 3; index += 1) copies.push(await enter(world, project, { picture: await drawing(35) }));
    await pass(project);
    await ended(project, 'completed');
    const share = 10 * FEE_MICRO;
    const paid = async ({ address }: { address: string }) => (await chain.balanceMicro(address)) - FUNDS_MICRO;
    assert.equal(await paid(honest.payer), share);
    assert.equal(await paid(payer), share);
    assert.deepEqual(await Promise.all(copies.map((each) => paid(each.payer))), [share, 0, 0]);
    assert.equal(await chain.balanceMicro(project.funder.address), 19_000_000 - 3 * share);
    await assertBooks(world);
  });

  it('nothing of this is an error of the service', () => {
    assert.deepEqual(errors, []);
  });
});
