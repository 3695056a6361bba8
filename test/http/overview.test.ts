import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { overviewOperations } from '../../contract/operator/overview.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { asPoster, enter } from '../support/clients/contestants.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const USDC = 1_000_000;
const DAY_MS = 86_400_000;

const world = await startWorld({ env: { PAYOUT_CAP_USDC: '50', LIMIT_REGISTRATIONS_PER_HOUR: '1000' } });
const { url, operatorKey: key, service, clock, errors } = world;
const { db } = service.deps;

type Overview = ReturnType<(typeof overviewOperations.getOverview)['output']['parse']>;
type Project = ReturnType<(typeof overviewOperations.listProjectsAsOperator)['output']['parse']>['projects'][number];

const get = async (path: string) => expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
const overview = async (days = 7) => (await get(`/operator/overview?days=${days}`)) as Overview;
const projects = async (query: Record<string, string>) =>
  (await get(`/operator/projects?${new URLSearchParams(query).toString()}`)) as {
    projects: Project[];
    has_more: boolean;
    next_cursor: string | null;
  };
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const draft = async (poster: { key: string }, title: string) =>
  expectStatus(
    await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief({ fields: { title } }) }),
    201,
  ).body.data.project as { id: string };

/** Inserts a settled payment of an old day, so that the daily sums include it. */
async function settledLongAgo(at: Date, kind: string, amountMicro: number): Promise<void> {
  await paymentOf({ at, kind, amountMicro, state: 'settled' });
}

type Made = { at: Date; kind: string; amountMicro: number; state: 'settled' | 'settling' };

async function paymentOf({ at, kind, amountMicro, state }: Made): Promise<void> {
  await db.begin(async (tx) => {
    // Switch off the triggers that require a journal.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
        x402_version, payload, requirements, from_block, state, tx_hash, log_index, block_number, created_at, updated_at,
        settled_at, watched, sweep_at)
      select id, ${kind}, id, 'eip155:1', '0x' || repeat('a', 40), '0x' || repeat('b', 40), '0x' || repeat('c', 40),
        ${amountMicro}, '0x' || repeat(md5(id::text), 2), 0, 2, '{}', '{}', 0, ${state}, '0x' || repeat(md5(id::text), 2), 0, 0,
        ${at}, ${at}, ${state === 'settled' ? at : null}, false, now() + interval '1 day'
      from (select uuidv7() as id) made`;
  });
}

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
const dateOf = (at: Date) => at.toISOString().slice(0, 10);

describe('the overview', () => {
  it('shows a service without any activity', async () => {
    const seen = await overview();
    assert.deepEqual([seen.volume.in_micro, seen.volume.out_micro, seen.volume.days.length], [0, 0, 7]);
    assert.equal(seen.volume.days.at(-1)?.date, dateOf(clock.now()));
    assert.deepEqual(new Set(Object.values(seen.held)), new Set([0]));
    assert.deepEqual(seen.payments, { unknown: 0, oldest_unknown_at: null, watched: 0 });
    assert.deepEqual([seen.payouts, seen.open_flags, seen.open_objections], [[], 0, 0]);
    assert.deepEqual(seen.projects, { draft: 0, open: 0, judging: 0, completed: 0, cancelled: 0 });
    assert.deepEqual(seen.webhooks.attempts, []);
  });

  it('counts the held money and reports the last check', async () => {
    const project = await openProject({ url }, { prizeUsdc: 100 });
    await enter({ url }, project);
    const seen = await overview();
    assert.deepEqual(
      [seen.held.escrow_micro, seen.held.fees_micro, seen.held.treasury_micro, seen.held.revenue_micro],
      [100 * USDC, 0.25 * USDC, 100.25 * USDC, 0],
    );
    const today = seen.volume.days.at(-1)!;
    assert.deepEqual(
      [today.prizes_micro, today.entry_fees_micro, today.in_micro, today.out_micro, today.payments],
      [100 * USDC, 0.25 * USDC, 100.25 * USDC, 0, 2],
    );
    assert.equal(seen.volume.in_micro, 100.25 * USDC);
    assert.equal(seen.projects.open, 1);
    assert.equal(seen.agents.active, 1);
    await get('/operator/ledger');
    const check = (await overview()).ledger_check!;
    assert.deepEqual(
      [check.balanced, check.chain_matches, check.treasury_micro, check.chain_micro, check.problems],
      [true, true, 100.25 * USDC, 100.25 * USDC, []],
    );
  });

  it('says why no money moves while the database is older than the chain', async () => {
    assert.equal((await overview()).recovery_needed, null);
    const reason = 'the database is older than the chain';
    await db`insert into recovery_state (needed_since, reason) values (now(), ${reason})`;
    assert.equal((await overview()).recovery_needed, reason);
    await db`delete from recovery_state`;
  });

  it('follows the project to its end and leaves nothing in escrow', async () => {
    const before = await overview();
    const project = await openProject({ url }, { prizeUsdc: 60 });
    const winner = await enter({ url }, project);
    expectStatus(await asPoster({ url }, project, ['POST', '/close']), 200);
    assert.equal((await overview()).projects.judging, before.projects.judging + 1);
    expectStatus(await asPoster({ url }, project, ['POST', '/winner', { submission_id: winner.submissionId }]), 200);
    const held = await until('a held payout', async () =>
      (await overview()).payouts.find(({ state }) => state === 'held'),
    );
    assert.deepEqual(held, { state: 'held', count: 1, amount_micro: 57 * USDC });
    const [payout] = (await get(`/operator/payouts?project_id=${project.id}`)).payouts as { id: string }[];
    const release = { key, body: { reason: 'The winner is known to us' } };
    expectStatus(await call(url, 'POST', `/operator/payouts/${payout!.id}/retry`, release), 200);
    const seen = await until('its end', async () => {
      const now = await overview();
      return now.projects.completed > before.projects.completed && now;
    });
    assert.equal(seen.held.escrow_micro, before.held.escrow_micro);
    assert.equal(seen.held.fees_micro, before.held.fees_micro);
    assert.equal(seen.held.revenue_micro, before.held.revenue_micro + 3 * USDC + 0.25 * USDC);
    assert.equal(seen.volume.out_micro, before.volume.out_micro + 57 * USDC);
    assert.deepEqual(seen.payouts, []);
  });

  it('counts agents by status, and opened and ended projects', async () => {
    const { id } = await registerAgent(url);
    const before = await overview();
    const body = { status: 'suspended', reason: 'Copies of others' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key, body }), 200);
    const { agents } = await overview();
    assert.deepEqual(agents, {
      ...before.agents,
      active: before.agents.active - 1,
      suspended: before.agents.suspended + 1,
    });
    const poster = await registerPoster(url);
    const [kept, gone] = [await draft(poster, 'A draft that stays'), await draft(poster, 'A draft that goes')];
    assert.equal((await overview()).projects.draft, before.projects.draft + 2);
    expectStatus(await call(url, 'DELETE', `/posters/me/projects/${gone.id}`, { key: poster.key }), 200);
    expectStatus(await asPoster({ url }, { ...kept, poster }, ['POST', '/cancel', {}]), 200);
    const { projects: counts } = await overview();
    assert.deepEqual([counts.draft, counts.cancelled], [before.projects.draft, before.projects.cancelled + 1]);
    const [counted] = await db`
      select bool_and(coalesce(real.count, 0) = kept.count) as same
      from (select status, sum(projects) as count from project_counts group by status) kept
      left join (select status, count(*) as count from projects group by status) real using (status)`;
    assert.equal(counted?.['same'], true);
  });

  it('keeps the sums of past days, also if a clock is ahead', async () => {
    await settledLongAgo(daysAgo(3), 'refund', 5 * USDC);
    await settledLongAgo(daysAgo(20), 'escrow', 7 * USDC);
    const ofDay = async (days: number, date: string) =>
      (await overview(days)).volume.days.find((day) => day.date === date)?.out_micro;
    const third = dateOf(daysAgo(3));
    // The earlier tests have stored these days.
    await db`delete from payment_days`;
    assert.equal(await ofDay(7, third), 5 * USDC);
    await settledLongAgo(daysAgo(3), 'refund', 1 * USDC);
    assert.equal(await ofDay(7, third), 5 * USDC, 'kept as it was');
    const month = await overview(30);
    assert.equal(month.volume.days.length, 30);
    assert.equal(month.volume.days.find((day) => day.date === dateOf(daysAgo(20)))?.prizes_micro, 7 * USDC);
    const today = dateOf(clock.now());
    const real = (await overview()).volume.days.at(-1)!.in_micro;
    clock.offsetMs += 2 * DAY_MS;
    const ahead = await overview();
    clock.offsetMs -= 2 * DAY_MS;
    assert.equal(ahead.volume.days.find((day) => day.date === today)?.in_micro, real);
    await settledLongAgo(clock.now(), 'escrow', 9 * USDC);
    assert.equal((await overview()).volume.days.at(-1)!.in_micro, real + 9 * USDC, 'today was not kept');
  });

  it('reports unknown payments, abandoned deliveries, and this process', async () => {
    await paymentOf({ at: daysAgo(2), kind: 'entry_fee', amountMicro: USDC, state: 'settling' });
    await paymentOf({ at: daysAgo(1), kind: 'entry_fee', amountMicro: USDC, state: 'settling' });
    await db.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, dead_at)
        select uuidv7(), uuidv7(), current_date, 5, 'retry', 2, now() - n * interval '1 hour' from generate_series(1, 30) n`;
    });
    const seen = await overview();
    assert.equal(seen.payments.unknown, 2);
    assert.ok(clock.now().getTime() - Date.parse(seen.payments.oldest_unknown_at!) >= 2 * DAY_MS);
    assert.ok(seen.webhooks.given_up >= 23 && seen.webhooks.given_up <= 24, `${seen.webhooks.given_up}`);
    assert.ok(seen.process.answers.find(({ status }) => status === 200)!.count > 10);
    assert.ok(seen.process.answers.find(({ status }) => status === 201)!.count > 3);
    assert.deepEqual(seen.process.failures, []);
    assert.ok(Date.parse(seen.process.since) <= Date.parse(seen.at));
  });

  it('refuses all other callers and invalid times', async () => {
    assert.equal((await call(url, 'GET', '/operator/overview')).status, 401);
    const agent = await registerAgent(url);
    assert.equal((await call(url, 'GET', '/operator/overview', { key: agent.key })).status, 401);
    const other = await call(url, 'GET', '/operator/overview?days=8', { key });
    assert.deepEqual([other.status, other.body.error.code], [400, 'INVALID_PARAMETER']);
  });
});

describe("the operator's list of projects", () => {
  it('includes all posters, newest first, and filters by status, poster, words of the title, and id', async () => {
    const poster = await registerPoster(url);
    const first = await draft(poster, 'Zebra crossings, drawn with ink');
    const open = await openProject({ url }, { fields: { title: 'A zebra for the zoo' } });
    const last = await draft(poster, 'Quite another thing');
    const all = (await projects({ limit: '100' })).projects;
    assert.deepEqual(idsOf(all).slice(0, 3), [last.id, open.id, first.id]);
    assert.deepEqual([all[1]?.status, all[1]?.published_at === null, all[0]?.published_at], ['open', false, null]);
    assert.deepEqual(
      all.filter(({ status }) => status === 'open' || status === 'draft').map((project) => project.closed_at),
      all.filter(({ status }) => status === 'open' || status === 'draft').map(() => null),
    );
    assert.ok(all.find(({ status }) => status === 'completed')?.closed_at);
    assert.equal(all[0]?.poster.name, 'Test poster');
    assert.deepEqual(idsOf((await projects({ search: 'zebra' })).projects), [open.id, first.id]);
    assert.deepEqual(idsOf((await projects({ search: 'ZEB cross' })).projects), [first.id]);
    assert.deepEqual(idsOf((await projects({ search: 'zebra', status: 'draft' })).projects), [first.id]);
    assert.deepEqual(idsOf((await projects({ search: '!?' })).projects), []);
    assert.deepEqual(idsOf((await projects({ poster_id: poster.id })).projects), [last.id, first.id]);
    assert.deepEqual(idsOf((await projects({ poster_id: poster.id, search: 'quite' })).projects), [last.id]);
    assert.deepEqual(idsOf((await projects({ search: open.id })).projects), [open.id]);
    assert.deepEqual(idsOf((await projects({ search: open.id.slice(0, 30) })).projects), [open.id]);
    assert.deepEqual(idsOf((await projects({ search: open.id, status: 'draft' })).projects), []);
    for (const status of ['draft', 'open', 'judging', 'completed', 'cancelled'] as const) {
      const some = (await projects({ status, limit: '100' })).projects;
      assert.deepEqual(idsOf(some), idsOf(all.filter((project) => project.status === status)), status);
    }
  });

  it('pages by cursor', async () => {
    for (const filter of [{}, { status: 'cancelled' }, { search: 'a' }] as Record<string, string>[]) {
      const all = idsOf((await projects({ ...filter, limit: '100' })).projects);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Awaited<ReturnType<typeof projects>> = await projects({
          ...filter,
          limit: '2',
          ...(cursor === '' ? {} : { cursor }),
        });
        seen.push(...idsOf(page.projects));
        cursor = page.next_cursor;
      }
      assert.deepEqual(seen, all);
      assert.ok(all.length > 0);
    }
    for (const query of ['status=gone', 'limit=0', 'cursor=x', 'poster_id=x', 'search='])
      assert.equal((await call(url, 'GET', `/operator/projects?${query}`, { key })).status, 400, query);
  });

  it('shows one project with its entries, also disqualified ones', async () => {
    const project = await openProject({ url });
    const [one, two] = [await enter({ url }, project, { seed: 1 }), await enter({ url }, project, { seed: 2 })];
    const path = `/operator/projects/${project.id}`;
    expectStatus(
      await call(url, 'POST', `${path}/submissions/${one.submissionId}/disqualify`, {
        key,
        body: { reason: 'A copy' },
      }),
      200,
    );
    const shown = (await get(path)).project;
    assert.deepEqual([shown.id, shown.total_submissions, shown.specializations], [project.id, 2, ['logo-design']]);
    const { submissions, counts } = await get(`${path}/submissions`);
    assert.deepEqual(idsOf(submissions), [one.submissionId, two.submissionId]);
    assert.deepEqual([submissions[0].disqualify_reason, counts], ['A copy', { total: 2, unscored: 1 }]);
    assert.equal((await fetch(submissions[1].thumbnail_url)).headers.get('content-type'), 'image/webp');
    const page = await get(`${path}/submissions?limit=1`);
    const next = await get(`${path}/submissions?limit=1&cursor=${page.next_cursor}`);
    assert.deepEqual([...idsOf(page.submissions), ...idsOf(next.submissions)], idsOf(submissions));
    assert.deepEqual(idsOf((await get(`${path}/submissions?filter=disqualified`)).submissions), [one.submissionId]);
    const missing = '/operator/projects/01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    for (const each of [missing, `${missing}/submissions`]) {
      const answer = await call(url, 'GET', each, { key });
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'PROJECT_NOT_FOUND']);
    }
  });
});

it('the tests received every answer that these operations can give, and the service logged no errors', () => {
  assert.deepEqual(notSeen(...Object.keys(overviewOperations)), []);
  assert.deepEqual(errors, []);
});
