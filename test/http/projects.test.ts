import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { closeAndChoose, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The searches of agents and of visitors. The filters are tested beside their SQL.

const world = await sharedWorld();
const { url } = world;

const { key } = await registerAgent(url);
const poster = await registerPoster(url);
/** No other test asks for all of these, so a search for them finds the projects of this file alone. */
const specializations = ['emblem-design', 'email-graphics', 'comic-art', 'banner-ads'];
const logo = await openProject(world, {
  poster,
  prizeUsdc: 12.5,
  entryFeeUsdc: 0.01,
  fields: { specializations, color_preferences: 'blue, warm grey', tags: ['sea'] },
});
const art = await openProject(world, { poster, prizeUsdc: 4, entryFeeUsdc: 2, fields: { specializations } });
const free = await openProject(world, { poster, entryFeeUsdc: 0, fields: { specializations } });

const search = (query: Record<string, string | number> = {}) =>
  call(url, 'GET', `/agents/projects?${new URLSearchParams(query as Record<string, string>).toString()}`, { key });
/** Searches among the projects of this file. */
const find = (query: Record<string, string | number> = {}) =>
  search({ specializations: specializations.join(), specializations_match: 'ALL', ...query });
const idsOf = ({ body }: Answer): string[] => body.data.projects.map((project: { id: string }) => project.id);

describe('GET /agents/projects', () => {
  it('shows amounts in decimal USDC and in microdollars, newest first', async () => {
    const answer = expectStatus(await find(), 200);
    assert.deepEqual(idsOf(answer), [free.id, art.id, logo.id]);
    const shown = answer.body.data.projects[2];
    assert.deepEqual(
      [shown.prize_amount, shown.entry_fee, shown.prize_amount_micro, shown.entry_fee_micro],
      [12.5, 0.01, 12_500_000, 10_000],
    );
    assert.deepEqual(
      [shown.color_preferences, shown.metadata, shown.completed_at, shown.winner_submission_id],
      [['blue', 'warm grey'], { tags: ['sea'] }, null, null],
    );
    assert.deepEqual(Object.keys(shown.ai_analysis).toSorted(), ['complexity_score', 'estimated_hours']);
    assert.deepEqual(Object.keys(shown.specializations[0]), ['id', 'name', 'description', 'category']);
    const { next_cursor, horizon, ...pagination } = answer.body.data.pagination;
    assert.ok(Date.parse(horizon) <= Date.now());
    assert.deepEqual([pagination, next_cursor], [{ limit: 20, offset: 0, total_returned: 3, has_more: false }, null]);
  });

  it('accepts times in two forms, orders, pages, and unknown parameters', async () => {
    const all = [free.id, art.id, logo.id];
    const queries: [Record<string, string | number>, string[]][] = [
      [{ created_after: '2020-01-01' }, all],
      [{ created_after: '2099-01-01T00:00:00+02:00' }, []],
      [{ min_entry_fee: 0, max_entry_fee: '9e99' }, all],
      [{ order_by: 'prize_amount', order_direction: 'asc' }, all],
      [{ order_by: 'entry_fee', order_direction: 'desc' }, [art.id, logo.id, free.id]],
      [{ limit: 1, offset: 1 }, [art.id]],
      [{ limit: 50, offset: 10_000 }, []],
      [{ unknown: 'parameters', are: 'ignored' }, all],
    ];
    for (const [query, expected] of queries)
      assert.deepEqual(idsOf(await find(query)), expected, JSON.stringify(query));
  });

  it('refuses every value that the specification refuses', async () => {
    const wrong: [string, string[]][] = [
      ['limit', ['0', '51', '-1', '1.5', 'ten', '', '1e2', '0x10', '1 ']],
      ['offset', ['-1', '1.5', 'x', '10001', '9999999999999999']],
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

type Shown = { id: string; status: string; total_submissions: number; winner: { submission_id: string } | null };

describe('the market without a key', () => {
  const market = (query: Record<string, string> = {}) =>
    call(url, 'GET', `/projects?${new URLSearchParams(query).toString()}`);
  const publicly = async (id: string) => (await call(url, 'GET', `/projects/${id}`)).body.data.project;

  it('follows a project to its winner and shows the winning picture once the prize is paid', async () => {
    const title = `Beacon ${crypto.randomUUID().slice(0, 8)}`;
    const project = await openProject(world, { prizeUsdc: 3, fields: { title } });
    const found = async (query: Record<string, string> = {}) =>
      expectStatus(await market({ q: title, ...query }), 200).body.data.projects as Shown[];
    const [first, ...more] = await found();
    assert.deepEqual([first?.id, first?.status, first?.winner, more], [project.id, 'open', null, []]);
    const winner = await enter(world, project);
    await until('the entry in the list', async () => (await found())[0]?.total_submissions === 1);
    const chosen = expectStatus(await closeAndChoose(world, project, winner), 200).body.data.project;
    assert.equal(chosen.status, 'judging');
    const whole = await until('the end', async () => {
      const shown = await publicly(project.id);
      assert.equal(shown.winner !== null, shown.status === 'completed', 'not before it is paid');
      return shown.status === 'completed' && shown;
    });
    const [listed] = await until('the end in the list', async () => {
      const shown = await found({ status: 'completed' });
      return shown.length > 0 && shown;
    });
    assert.equal(listed?.winner?.submission_id, winner.submissionId);
    const picture = await fetch(whole.winner.thumbnail_url);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
    const { since, median_choice_seconds: median, ...record } = whole.poster;
    assert.ok(median >= 0);
    assert.match(since, /^\d{4}-/);
    assert.deepEqual(record, {
      id: project.poster.id,
      name: 'Test poster',
      projects: 1,
      completed: 1,
      cancelled: 0,
      no_winner: 0,
      paid_out_micro: 2_850_000,
    });
  });

  it('refuses malformed queries', async () => {
    const wrong: [name: string, value: string][] = [
      ['status', 'draft'],
      ['q', 'a'],
      ['order_by', 'title'],
      ['cursor', 'nonsense'],
    ];
    for (const [name, value] of wrong) codeIs(await market({ [name]: value }), 400, 'INVALID_PARAMETER');
    codeIs(await market({ min_prize_amount: '3', max_prize_amount: '2' }), 400, 'INVALID_RANGE');
  });
});
