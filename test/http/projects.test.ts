import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: {
    LIMIT_AGENT_READS_PER_MINUTE: '10000',
    LIMIT_POSTER_PER_MINUTE: '10000',
    EARLY_ACCESS_SECONDS: '60',
    // One project has the smallest amount as its fee.
    MIN_ENTRY_FEE_USDC: '0',
  },
});
const { url, service, clock, errors } = world;

const { key, id: agentId } = await registerAgent(url);
const poster = await registerPoster(url);
const logo = await openProject(world, {
  poster,
  prizeUsdc: 12.5,
  entryFeeUsdc: 0.000001,
  fields: { color_preferences: 'blue, warm grey', tags: ['sea'] },
});
const art = await openProject(world, {
  poster,
  prizeUsdc: 3,
  entryFeeUsdc: 2,
  fields: { specializations: ['illustration', 'logo-design'] },
});
const free = await openProject(world, {
  poster,
  prizeUsdc: 1,
  entryFeeUsdc: 0,
  fields: { specializations: ['illustration'] },
});
const draft = expectStatus(await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() }), 201)
  .body.data.project.id;
clock.offsetMs += 61_000;

const search = (query: Record<string, string | number> = {}) =>
  call(url, 'GET', `/agents/projects?${new URLSearchParams(query as Record<string, string>).toString()}`, { key });
const detail = (id: string) => call(url, 'GET', `/agents/projects/${id}`, { key });
const idsOf = ({ body }: Answer): string[] => body.data.projects.map((project: { id: string }) => project.id);

const members = [
  'id',
  'poster_id',
  'title',
  'description',
  'prize_amount',
  'entry_fee',
  'prize_amount_micro',
  'entry_fee_micro',
  'project_type_id',
  'requirements',
  'item_count',
  'style_references',
  'color_preferences',
  'size_requirements',
  'licence',
  'auto_select_deadline',
  'closes_at',
  'status',
  'winner_submission_id',
  'total_submissions',
  'max_entries',
  'places_left',
  'expected_value_micro',
  'platform_fee_rate',
  'ai_analysis',
  'metadata',
  'created_at',
  'updated_at',
  'published_at',
  'completed_at',
  'specializations',
].toSorted();

describe('GET /agents/projects', () => {
  it('shows every field, with amounts in decimal USDC and in microdollars, newest first', async () => {
    const answer = await search();
    assert.equal(answer.status, 200);
    assert.deepEqual(idsOf(answer), [free.id, art.id, logo.id]);
    const shown = answer.body.data.projects[2];
    assert.deepEqual(Object.keys(shown).toSorted(), members);
    assert.deepEqual(
      [shown.prize_amount, shown.entry_fee, shown.prize_amount_micro, shown.entry_fee_micro],
      [12.5, 0.000001, 12_500_000, 1],
    );
    assert.deepEqual(
      [shown.color_preferences, shown.metadata, shown.completed_at, shown.winner_submission_id],
      [['blue', 'warm grey'], { tags: ['sea'] }, null, null],
    );
    assert.deepEqual(Object.keys(shown.ai_analysis).toSorted(), ['complexity_score', 'estimated_hours']);
    assert.deepEqual(Object.keys(shown.specializations[0]), ['id', 'name', 'description', 'category']);
    const { next_cursor, horizon, ...pagination } = answer.body.data.pagination;
    assert.ok(Date.parse(horizon) <= clock.now().getTime());
    assert.deepEqual([pagination, next_cursor], [{ limit: 20, offset: 0, total_returned: 3, has_more: false }, null]);
  });

  it('accepts every parameter of the specification', async () => {
    const all = [free.id, art.id, logo.id];
    const queries: [Record<string, string | number>, string[]][] = [
      [{ specializations: 'illustration' }, [free.id, art.id]],
      [{ specializations: 'illustration,logo_design', specializations_match: 'ALL' }, [art.id]],
      [{ specializations: ' illustration , logo-design', specializations_match: 'ANY' }, all],
      [{ specializations: 'unheard-of' }, []],
      [{ created_after: '2020-01-01' }, all],
      [{ created_after: '2099-01-01T00:00:00+02:00' }, []],
      [{ min_prize_amount: '3' }, [art.id, logo.id]],
      [{ min_prize_amount: '12.500001' }, []],
      [{ min_entry_fee: '0.000001' }, [art.id, logo.id]],
      [{ max_entry_fee: 1.5 }, [free.id, logo.id]],
      [{ min_entry_fee: 2, max_entry_fee: '2.0' }, [art.id]],
      [{ status: 'open' }, all],
      [{ status: 'draft' }, []],
      [{ status: 'draft,judging,completed,cancelled' }, []],
      [{ status: 'open, draft', project_type_id: 'image', max_total_submissions: 0 }, all],
      [{ order_by: 'prize_amount', order_direction: 'asc' }, all],
      [{ order_by: 'prize_amount' }, [logo.id, art.id, free.id]],
      [{ order_by: 'entry_fee', order_direction: 'desc' }, [art.id, logo.id, free.id]],
      [{ limit: 1, offset: 1 }, [art.id]],
      [{ limit: 50, offset: 3 }, []],
      [{ unknown: 'parameters', are: 'ignored' }, all],
    ];
    for (const [query, expected] of queries)
      assert.deepEqual(idsOf(await search(query)), expected, JSON.stringify(query));
  });

  it('pages by offset and by cursor', async () => {
    const first = await search({ limit: 2 });
    const { next_cursor, horizon, ...pagination } = first.body.data.pagination;
    assert.deepEqual(pagination, { limit: 2, offset: 0, total_returned: 2, has_more: true });
    for (const next of [{ cursor: next_cursor }, { offset: 2 }] as Record<string, string>[]) {
      const second = await search({ limit: 2, ...next });
      assert.deepEqual(idsOf(second), [logo.id]);
      assert.equal(second.body.data.pagination.has_more, false);
      // A walk by cursor keeps the horizon of its first page.
      if (next['cursor']) assert.equal(second.body.data.pagination.horizon, horizon);
    }
    for (const cursor of ['', 'x', next_cursor.slice(1), `${next_cursor}A`, 'A'.repeat(301)])
      assert.equal((await search({ cursor })).body.error.code, 'INVALID_PARAMETER', cursor);
    assert.equal((await search({ cursor: next_cursor, order_by: 'entry_fee' })).body.error.code, 'INVALID_PARAMETER');
  });

  it('refuses every value that the specification refuses', async () => {
    const wrong: [string, string[]][] = [
      ['limit', ['0', '51', '-1', '1.5', 'ten', '', '1e2', '0x10', '1 ']],
      ['offset', ['-1', '1.5', 'x', '9999999999999999']],
      ['order_by', ['title', '', 'created_at;drop', 'CREATED_AT']],
      ['order_direction', ['up', 'DESC']],
      ['specializations_match', ['some', 'any']],
      ['status', ['opened', 'open,,closed']],
      ['project_type_id', ['video', 'audio', 'text']],
      ['max_total_submissions', ['-1', 'x', '0.5']],
      ['min_prize_amount', ['-1', 'x', '0.0000001', '1e-7', 'Infinity', 'NaN', '1,000', ' ']],
      ['min_entry_fee', ['-0.1', '1,5']],
      ['max_entry_fee', ['-1', '$1']],
    ];
    for (const [name, values] of wrong) {
      for (const value of values) {
        const { status, body } = await search({ [name]: value });
        assert.deepEqual([status, body.error?.code], [400, 'INVALID_PARAMETER'], `${name}=${value}`);
        assert.equal(body.error.details[0].field, name);
      }
    }
    for (const created_after of ['yesterday', '2026-13-01', '2026-02-30', '12345', '', '2026-01-01T25:00:00Z'])
      assert.deepEqual((await search({ created_after })).body.error?.code, 'INVALID_DATE', created_after);
    assert.equal((await search({ min_entry_fee: '0.2', max_entry_fee: '0.1' })).body.error.code, 'INVALID_RANGE');
  });
});

describe('GET /agents/projects/{projectId}', () => {
  it('shows every field, amounts in microdollars', async () => {
    const { status, body } = await detail(logo.id.toUpperCase());
    assert.equal(status, 200);
    const { project } = body.data;
    const ends = ['latest_deadline', 'result_on_hold', 'cancel_reason', 'cancelled_at', 'cancelled_by'];
    const judging = ['judging_hours', 'closed_at', 'judging_ends_at', 'awarded_at', 'selection', 'ai_judge'];
    const agreed = ['gallery', 'terms', 'terms_hash', 'terms_version', 'poster', 'reference_pictures'];
    const more = ['winner_receives_micro', ...ends, ...judging, ...agreed];
    assert.deepEqual(Object.keys(project).toSorted(), [...members, ...more].toSorted());
    const { prize_amount, prize_amount_micro, entry_fee, entry_fee_micro, winner_receives_micro, platform_fee_rate } =
      project;
    assert.deepEqual([prize_amount, prize_amount_micro, entry_fee, entry_fee_micro], [12_500_000, 12_500_000, 1, 1]);
    assert.deepEqual([winner_receives_micro, platform_fee_rate], [11_875_000, 0.05]);
  });

  it('answers a draft and an id of another resource like a missing project', async () => {
    const missing = await callOperation(url, operations.getProject, { key });
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'PROJECT_NOT_FOUND']);
    for (const id of [draft, agentId, poster.id, '00000000-0000-0000-0000-000000000000'])
      assert.deepEqual(withoutId(await detail(id)), withoutId(missing), id);
  });
});

describe('early access', () => {
  it('shows a new project to elite agents first: in search, details, and intents', async () => {
    const early = await openProject(world, { poster });
    const elite = await registerAgent(url);
    await service.deps.db`update agents set tier = 'elite' where id = ${elite.id}`;
    const seenBy = async (agentKey: string) => [
      idsOf(await call(url, 'GET', '/agents/projects', { key: agentKey })).includes(early.id),
      (await call(url, 'GET', `/agents/projects/${early.id}`, { key: agentKey })).status,
      (await call(url, 'POST', `/agents/projects/${early.id}/intent`, { key: agentKey, body: { title: 'Lighthouse' } }))
        .status,
    ];
    assert.deepEqual(await seenBy(key), [false, 404, 404]);
    assert.deepEqual(await seenBy(elite.key), [true, 200, 201]);
    clock.offsetMs += 60_000;
    assert.deepEqual(await seenBy(key), [true, 200, 201]);
  });
});

describe('a search page that does not match the contract', () => {
  const { deps } = service;
  const setCard = (card: string) =>
    deps.db.begin(async (tx) => {
      await tx`alter table projects disable trigger project_card`;
      await tx`update projects set card = ${card} where id = ${logo.id}`;
      await tx`alter table projects enable trigger project_card`;
    });
  /** Searches one second later, so that no cached page of an earlier search is used. */
  const searchAnew = () => {
    clock.offsetMs += 1_000;
    return search();
  };

  it('is a logged 500 that names the field, and is not checked in production', async () => {
    const [row] = await deps.db<{ card: string }[]>`select card from projects where id = ${logo.id}`;
    const card = JSON.parse(row?.card ?? '') as object;
    const planted: [object, RegExp][] = [
      [{ ...card, funding_wallet: '0x1' }, /searchProjects .*projects\[\d\].*"funding_wallet"/],
      [{ ...card, title: 7 }, /searchProjects .*projects\[\d\]\.title/],
      [{ ...card, prize_amount_micro: undefined }, /searchProjects .*projects\[\d\]\.prize_amount_micro/],
    ];
    for (const [wrong, expected] of planted) {
      await setCard(JSON.stringify(wrong));
      const refused = await searchAnew();
      assert.deepEqual([refused.status, refused.body.error.code], [500, 'INTERNAL_ERROR']);
      const [logged] = errors.splice(0);
      assert.match(String((logged?.['err'] as Error | undefined)?.message), expected);
    }
    deps.config.checkAnswers = false;
    await setCard(JSON.stringify({ ...card, funding_wallet: '0x1' }));
    clock.offsetMs += 1_000;
    const unchecked = await fetch(`${url}/api/v1/agents/projects`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(unchecked.status, 200);
    deps.config.checkAnswers = true;
    await setCard(row?.card ?? '');
    assert.equal((await searchAnew()).status, 200);
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('searchProjects', 'getProject'), []);
  assert.deepEqual(errors, []);
});
