import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { cloneProject, enterQuickly } from '../support/rows/cloned-projects.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, type Registered } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const DAY_MS = 86_400_000;
const world = await startWorld({
  env: {
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000',
    LIMIT_AGENT_READS_PER_MINUTE: '10000',
    EARLY_ACCESS_SECONDS: '60',
    MAX_OPEN_DAYS: '3650',
  },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { intentOf, enter, upload, confirmOf } = entriesOf(world);

// The project stays open at every time that a test sets. The timers run by the same clock and would otherwise end it.
const template = await openProject(world, { entryFeeUsdc: 0, deadline: new Date(Date.now() + 3_600 * DAY_MS) });
clock.offsetMs += 60_000;

/** Each test has its own specialization, so that projects of other tests do not match. */
const clone = (columns: Record<string, unknown>) => cloneProject(db, template.id, columns);
const agentWith = (specializations: string[], body: object = {}) => registerAgent(url, { specializations, ...body });

const recommended = async ({ key }: Pick<Registered, 'key'>, query = '') =>
  await call(url, 'GET', `/agents/projects/recommended${query}`, { key });
type Shown = { id: string; match: { score_micro: number; shared_specializations: string[] } };
const projectsOf = async (agent: Pick<Registered, 'key'>, query = '?limit=50') =>
  expectStatus(await recommended(agent, query), 200).body.data.projects as Shown[];
const idsOf = async (agent: Pick<Registered, 'key'>) => (await projectsOf(agent)).map(({ id }) => id);
const set = async ({ key }: Pick<Registered, 'key'>, settings: object) =>
  expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings } }), 200);

describe('GET /agents/projects/recommended', () => {
  it('shows the fields of a search, the reasons for the match, and whether the agent works', async () => {
    const agent = await agentWith(['pixel-art', 'comic-art']);
    const id = await clone({
      specializations: ['pixel-art', 'poster-design', 'comic-art'],
      prize_micro: 12_000_000,
      entry_fee_micro: 250_001,
      total_submissions: 3,
    });
    const { projects, availability, pagination } = expectStatus(await recommended(agent), 200).body.data;
    const found = await call(url, 'GET', '/agents/projects?specializations=comic-art', { key: agent.key });
    const { match, ...project } = projects[0];
    assert.equal(project.id, id);
    assert.deepEqual([project], found.body.data.projects);
    // 12 USDC less 5%, two of three specializations, and the fourth entry, less the fee.
    assert.deepEqual(match, { score_micro: 1_900_000 - 250_001, shared_specializations: ['pixel-art', 'comic-art'] });
    assert.deepEqual(availability, { autoParticipate: false, withinWorkingHours: true, nextStart: null });
    assert.deepEqual(pagination, { limit: 20, total_returned: 1, has_more: false, next_cursor: null });
    await set(agent, { autoParticipate: true });
    assert.equal((await recommended(agent)).body.data.availability.autoParticipate, true);
  });

  it('matches the form in the contract', async () => {
    const agent = await agentWith(['pixel-art']);
    const { data } = (await recommended(agent)).body;
    const [shown] = data.projects;
    const dates = ['auto_select_deadline', 'created_at', 'updated_at', 'published_at'];
    const asDates = Object.fromEntries(dates.map((name) => [name, new Date(shown[name])]));
    const written = operations.recommendProjects.output.parse({ ...data, projects: [{ ...shown, ...asDates }] });
    assert.deepEqual(written, data);
  });

  it('matches budgets to the microdollar', async () => {
    const agent = await agentWith(['landscape-art']);
    const prizes = [4_999_999, 5_000_000, 7_500_000, 10_000_000, 10_000_001];
    const ids: string[] = [];
    for (const prize_micro of prizes) ids.push(await clone({ specializations: ['landscape-art'], prize_micro }));
    assert.deepEqual(await idsOf(agent), ids.toReversed());
    await set(agent, { minBudget: 5, maxBudget: 10 });
    assert.deepEqual(await idsOf(agent), ids.slice(1, 4).toReversed());
    await set(agent, { minBudget: 5.000001, maxBudget: 9.999999 });
    assert.deepEqual(await idsOf(agent), [ids[2]]);
    await set(agent, { minBudget: 10.000002, maxBudget: 20 });
    assert.deepEqual(await idsOf(agent), []);
  });

  it('matches a shared specialization, or any specialization of a preferred category', async () => {
    const agent = await agentWith(['abstract-art', 'typography']);
    const names = {
      own: ['abstract-art'],
      both: ['abstract-art', 'typography'],
      beside: ['abstract-art', 'banner-ads'],
      foreign: ['mascot-design', 'banner-ads'],
    };
    const ids: Record<string, string> = {};
    for (const [name, specializations] of Object.entries(names)) ids[name] = await clone({ specializations });
    const fitting = async (preferredCategories: string[]) => {
      await set(agent, { preferredCategories });
      const found = await idsOf(agent);
      return Object.keys(names).filter((name) => found.includes(ids[name]!));
    };
    assert.deepEqual(await fitting([]), ['own', 'both', 'beside']);
    assert.deepEqual(await fitting(['Art']), ['own', 'both', 'beside']);
    assert.deepEqual(await fitting(['Design']), ['both']);
    assert.deepEqual(await fitting(['Marketing']), ['beside']);
    assert.deepEqual(await fitting(['Marketing', 'Design']), ['both', 'beside']);
    assert.deepEqual(await fitting(['Symbols & Corporate']), []);
    assert.deepEqual((await projectsOf(agent)).length, 0);
  });

  it('omits projects that the agent cannot enter: not open, full, too late, already entered, or funded by its wallet', async () => {
    const agent = await agentWith(['icon-design'], { wallet_address: template.funder.address });
    const other = await agentWith(['icon-design']);
    const funding_wallet = `0x${'e'.repeat(40)}`;
    const now = clock.now();
    const columns = { specializations: ['icon-design'], funding_wallet };
    const id = await clone({ ...columns, auto_select_deadline: new Date(now.getTime() + 15_001) });
    const late = await clone({ ...columns, auto_select_deadline: new Date(now.getTime() + 15_000) });
    const entered = await clone(columns);
    const confirmed = await clone(columns);
    const funded = await clone({ ...columns, funding_wallet: template.funder.address });
    for (const status of ['judging', 'completed', 'cancelled']) await clone({ ...columns, status });
    const full = await clone({ ...columns, max_entries: 2, places_taken: 2 });
    const hasPlace = await clone({ ...columns, max_entries: 2, places_taken: 1 });
    for (const [projectId, status] of [
      [entered, 'pending'],
      [confirmed, 'submitted'],
    ] as const)
      await enterQuickly(db, { projectId, agentId: agent.id, status, at: now });
    await clock.at(now, async () => {
      assert.deepEqual((await idsOf(agent)).toSorted(), [id, hasPlace].toSorted());
      assert.deepEqual((await idsOf(other)).toSorted(), [id, hasPlace, entered, confirmed, funded].toSorted());
      codeIs(await intentOf(agent.key, late), 409, 'PROJECT_DEADLINE_TOO_CLOSE');
      codeIs(await intentOf(agent.key, funded), 409, 'PROJECT_NOT_ACCEPTING');
      codeIs(await intentOf(agent.key, full), 409, 'PROJECT_FULL');
      expectStatus(await intentOf(agent.key, id), 201);
      assert.deepEqual(await idsOf(agent), [hasPlace]);
    });
  });

  it('omits projects that end before the agent’s next working hours, to the millisecond', async () => {
    const agent = await agentWith(['ui-design']);
    const noon = new Date('2026-12-07T12:00:00.000Z');
    const end = (time: string) => ({
      specializations: ['ui-design'],
      auto_select_deadline: new Date(time),
      visible_at: noon,
    });
    const ids = {
      tonight: await clone(end('2026-12-07T20:00:00.000Z')),
      tooClose: await clone(end('2026-12-08T08:00:15.000Z')),
      justLongEnough: await clone(end('2026-12-08T08:00:15.001Z')),
    };
    const all = [ids.justLongEnough, ids.tooClose, ids.tonight];
    await clock.at(noon, async () => assert.deepEqual(await idsOf(agent), all));
    await set(agent, { workingHours: { timezone: 'Europe/Berlin', start: '09:00', end: '17:00' } });
    await clock.at('2026-12-07T15:59:59.999Z', async () => assert.deepEqual(await idsOf(agent), all));
    for (const time of ['2026-12-07T16:00:00.000Z', '2026-12-08T07:59:59.999Z'])
      await clock.at(time, async () => assert.deepEqual(await idsOf(agent), [ids.justLongEnough]));
    await clock.at('2026-12-08T08:00:00.000Z', async () => assert.deepEqual(await idsOf(agent), [ids.justLongEnough]));
    await set(agent, { workingHours: { timezone: 'UTC', start: '09:00', end: '17:00' } });
    await clock.at('2026-12-08T08:00:00.000Z', async () => assert.deepEqual(await idsOf(agent), []));
  });

  it('shows a new project to elite agents first, to the millisecond', async () => {
    const [agent, elite] = [await agentWith(['3d-render']), await agentWith(['3d-render'])];
    await db`update agents set tier = 'elite' where id = ${elite.id}`;
    const visible = new Date(clock.now().getTime() + 30_000);
    const id = await clone({ specializations: ['3d-render'], visible_at: visible });
    await clock.at(new Date(visible.getTime() - 1), async () => {
      assert.deepEqual([await idsOf(agent), await idsOf(elite)], [[], [id]]);
    });
    await clock.at(visible, async () => assert.deepEqual(await idsOf(agent), [id]));
  });

  it('sorts by score, which a confirmed entry lowers, then newer projects first', async () => {
    const agent = await agentWith(['emblem-design', 'portrait']);
    const columns = { specializations: ['emblem-design'], prize_micro: 8_000_000 };
    const ids = {
      last: await clone({ ...columns, entry_fee_micro: 9_000_000 }),
      tied: await clone(columns),
      half: await clone({ ...columns, specializations: ['emblem-design', 'banner-ads'] }),
      crowded: await clone({ ...columns, total_submissions: 4 }),
      newer: await clone(columns),
      dear: await clone({ ...columns, entry_fee_micro: 1 }),
    };
    const order = (await projectsOf(agent)).map(({ id, match }) => [id, match.score_micro]);
    assert.deepEqual(order, [
      [ids.newer, 7_600_000],
      [ids.tied, 7_600_000],
      [ids.dear, 7_599_999],
      [ids.half, 3_800_000],
      [ids.crowded, 1_520_000],
      [ids.last, -1_400_000],
    ]);
    // A real entry, confirmed over HTTP.
    const entry = await enter(template.id);
    const logos = await agentWith(['logo-design']);
    const [before] = await projectsOf(logos);
    await upload(entry);
    expectStatus(await confirmOf(entry), 200);
    const [after] = await projectsOf(logos);
    assert.deepEqual([before?.match.score_micro, after?.match.score_micro], [950_000, 475_000]);
  });

  it('pages by cursor: every matching project once, in the same order', async () => {
    const agent = await agentWith(['print-design', 'book-cover-design']);
    for (let n = 0; n < 23; n += 1)
      await clone({
        specializations: n % 2 ? ['print-design'] : ['print-design', 'book-cover-design'],
        prize_micro: (1 + (n % 4)) * 1_000_000,
        entry_fee_micro: (n % 3) * 1_500_000,
      });
    const whole = (await projectsOf(agent)).map(({ id }) => id);
    assert.equal(whole.length, 23);
    const paged: string[] = [];
    let query = '?limit=5';
    for (let page = 0; ; page += 1) {
      const { projects, pagination } = expectStatus(await recommended(agent, query), 200).body.data;
      paged.push(...projects.map(({ id }: { id: string }) => id));
      assert.deepEqual([pagination.total_returned, pagination.has_more], page < 4 ? [5, true] : [3, false]);
      if (!pagination.has_more) break;
      query = `?limit=5&cursor=${pagination.next_cursor}`;
    }
    assert.deepEqual(paged, whole);
    await set(agent, { minBudget: 2 });
    codeIs(await recommended(agent, query), 400, 'INVALID_PARAMETER', /cursor: belongs to/);
  });

  it('refuses invalid parameters and names them', async () => {
    const agent = await agentWith(['portrait']);
    const search = await call(url, 'GET', '/agents/projects?limit=1', { key: agent.key });
    const { next_cursor } = search.body.data.pagination;
    const wrong = [
      ...['0', '51', '-1', 'x', ''].map((limit) => `limit=${limit}`),
      ...['x', 'A'.repeat(43), 'x'.repeat(301), next_cursor].map((cursor) => `cursor=${cursor}`),
    ];
    for (const query of wrong)
      codeIs(await recommended(agent, `?${query}`), 400, 'INVALID_PARAMETER', new RegExp(query.split('=')[0]!));
    codeIs(await callOperation(url, operations.recommendProjects), 401, 'UNAUTHORIZED');
  });

  it('ranks only the 500 highest prizes if more projects match', async () => {
    const agent = await agentWith(['infographic-design']);
    const lowest = await clone({ specializations: ['infographic-design'], prize_micro: 1_000_000 });
    await db`
      with like_it as (
        select p from projects p where id = ${lowest}
      ), fresh as (
        insert into projects
        select (jsonb_populate_record(p, jsonb_build_object('id', uuidv7(), 'prize_micro', 1000000 + n,
          'total_submissions', n % 7))).* from like_it, generate_series(1, 500) n returning *
      )
      insert into project_listings (spec_key, status, published_at, visible_at, prize_micro, entry_fee_micro, project_id)
      select listing_keys(specializations), status, published_at, visible_at, prize_micro, entry_fee_micro, id from fresh`;
    const all: Shown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: Answer = await recommended(agent, `?limit=50${cursor}`);
      const { data } = answer.body;
      all.push(...(data.projects as Shown[]));
      cursor = data.pagination.next_cursor && `&cursor=${data.pagination.next_cursor}`;
    }
    assert.equal(new Set(all.map(({ id }) => id)).size, 500);
    assert.ok(!all.some(({ id }) => id === lowest));
    const scores = all.map(({ match }) => match.score_micro);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });
});

it('answers AGENT_NOT_FOUND after the agent is deleted, although its key is cached', async () => {
  const agent = await agentWith(['portrait']);
  await idsOf(agent);
  await db`delete from agent_keys where agent_id = ${agent.id}`;
  await db`delete from agents where id = ${agent.id}`;
  codeIs(await recommended(agent), 404, 'AGENT_NOT_FOUND');
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('recommendProjects'), []);
  assert.deepEqual(errors, []);
});
