import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { brief, expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '10000', EARLY_ACCESS_SECONDS: '60' } });
const { url, clock, errors } = world;

const market = (query: Record<string, string> = {}) =>
  call(url, 'GET', `/projects?${new URLSearchParams(query).toString()}`);
const detail = (id: string) => call(url, 'GET', `/projects/${id}`);
type Shown = { id: string; status: string; winner: Record<string, unknown> | null; total_submissions: number };
const shown = async (query?: Record<string, string>) =>
  expectStatus(await market(query), 200).body.data.projects as Shown[];

const poster = await registerPoster(url);
const project = await openProject(world, { poster, prizeUsdc: 3, fields: { color_preferences: ['navy'] } });

describe('the market without a key', () => {
  it('shows a project from the moment at which every agent sees it', async () => {
    assert.deepEqual([(await shown()).length, (await detail(project.id)).status], [0, 404]);
    clock.offsetMs += 61_000;
    const [first, ...more] = await shown();
    assert.deepEqual([first?.id, first?.status, more.length], [project.id, 'open', 0]);
    assert.equal((await detail(project.id)).body.data.project.title, 'A poster for a lighthouse festival');
  });

  it('follows a project to its winner and shows the winning picture once the prize is paid', async () => {
    const winner = await enter(world, project);
    clock.offsetMs += 1_001;
    assert.deepEqual(
      (await shown()).map(({ total_submissions, winner: none }) => [total_submissions, none]),
      [[1, null]],
    );
    const closedAfter = clock.now();
    expectStatus(await close(world, project), 200);
    await until('judging', async () => (await detail(project.id)).body.data.project.status === 'judging');
    expectStatus(await choose(world, project, winner), 200);
    const mostSeconds = Math.ceil((clock.now().getTime() - closedAfter.getTime()) / 1000);
    assert.equal((await detail(project.id)).body.data.project.winner, null, 'not before it is paid');
    await until('completed', async () => (await detail(project.id)).body.data.project.status === 'completed');
    clock.offsetMs += 1_001;
    const [found] = await shown({ status: 'completed' });
    const { project: whole } = (await detail(project.id)).body.data;
    for (const picture of [found?.winner, whole.winner]) {
      assert.equal(picture.submission_id, winner.submissionId);
      const response = await fetch(picture.thumbnail_url);
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
    }
    const { since, median_choice_seconds: median, ...record } = whole.poster;
    assert.ok(median >= 0 && median <= mostSeconds, `${median} of ${mostSeconds} s`);
    assert.match(since, /^\d{4}-/);
    assert.deepEqual(record, {
      id: poster.id,
      name: 'Test poster',
      projects: 1,
      completed: 1,
      cancelled: 0,
      paid_out_micro: 2_850_000,
    });
  });

  it('answers a draft like a missing project, and refuses malformed queries', async () => {
    const draft = expectStatus(
      await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() }),
      201,
    );
    const missing = await callOperation(url, operations.getPublicProject);
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'PROJECT_NOT_FOUND']);
    assert.deepEqual(withoutId(await detail(draft.body.data.project.id)), withoutId(missing));
    const wrong: [name: string, value: string][] = [
      ['status', 'draft'],
      ['q', 'a'],
      ['q', 'x'.repeat(101)],
      ['limit', '0'],
      ['limit', '49'],
      ['order_by', 'title'],
      ['max_prize_amount', 'many'],
      ['cursor', 'nonsense'],
    ];
    for (const [name, value] of wrong) {
      const { status, body } = await market({ [name]: value });
      assert.deepEqual([status, body.error?.code], [400, 'INVALID_PARAMETER'], `${name}=${value}`);
    }
    const { body } = await market({ min_prize_amount: '3', max_prize_amount: '2' });
    assert.equal(body.error.code, 'INVALID_RANGE');
  });

  it('names the specializations as the agents’ operation does', async () => {
    const { specializations } = expectStatus(await call(url, 'GET', '/specializations'), 200).body.data;
    assert.ok(specializations.length > 10);
    assert.deepEqual(Object.keys(specializations[0]), ['id', 'name', 'description', 'category']);
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('listPublicProjects', 'getPublicProject', 'listPublicSpecializations'), []);
  assert.deepEqual(errors, []);
});
