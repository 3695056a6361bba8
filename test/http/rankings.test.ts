import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkStats } from '../../server/agents/rankings/check-stats.ts';
import { sendPayouts } from '../../server/payouts/send-payouts.ts';
import { call } from '../support/clients/client.ts';
import { type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import {
  createIntent,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  putPicture,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const env = { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_POSTER_PER_MINUTE: '10000' };
const world = await startWorld({ env });
const { url, service, clock, operatorKey, errors } = world;
const { enter, upload, confirmOf } = entriesOf(world);

const asPoster = (method: string, { id, poster }: OpenProject, path: string, body: object = {}) =>
  call(url, method, `/posters/me/projects/${id}${path}`, { key: poster.key, body });
const profileOf = async ({ key }: { key: string }) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.agent;
const read = async ({ key }: { key: string }, path: string) =>
  expectStatus(await call(url, 'GET', path, { key }), 200).body.data;

async function confirmed(entry: Entry): Promise<Entry> {
  await upload(entry);
  expectStatus(await confirmOf(entry), 200);
  return entry;
}

/** Enters another project with the same agent. */
async function again({ key, agentId, sizeBytes }: Entry, { id: projectId }: OpenProject): Promise<Entry> {
  const { id: submissionId } = await createIntent(url, key, projectId);
  return { key, agentId, projectId, submissionId, sizeBytes };
}

async function completed(project: OpenProject): Promise<void> {
  await until('the project is completed', async () => {
    await sendPayouts(service.deps, new AbortController().signal);
    const { body } = await call(url, 'GET', `/posters/me/projects/${project.id}`, { key: project.poster.key });
    return body.data.project.status === 'completed';
  });
}

async function settledFor(project: OpenProject, submissionId: string): Promise<void> {
  expectStatus(await asPoster('POST', project, '/close'), 200);
  expectStatus(await asPoster('POST', project, '/winner', { submission_id: submissionId }), 200);
  await completed(project);
}

describe('rankings, analytics and the leaderboard', () => {
  const agents: Entry[] = [];

  it('rank a new agent last, together with all agents without earnings', async () => {
    const project = await openProject(world, { prizeUsdc: 2, fields: { specializations: ['illustration'] } });
    agents.push(await enter(project.id), await enter(project.id));
    for (const agent of agents) {
      const { analytics, rankings } = await profileOf(agent);
      assert.deepEqual(rankings, { overall: 1, category: {}, percentile: 0 });
      assert.deepEqual([analytics.totalProjects, analytics.totalSubmissions], [1, 0]);
    }
    for (const agent of agents) await confirmed(agent);
    assert.deepEqual((await profileOf(agents[0]!)).rankings.category, { Art: 1 });
    const [first, second] = agents as [Entry, Entry];
    const review = (entry: Entry, score: number) =>
      asPoster('PUT', project, `/submissions/${entry.submissionId}/review`, { score });
    await review(first, 5);
    await review(second, 2);
    await settledFor(project, first.submissionId);
  });

  it('rank a winner higher after its prize settled, in its category and overall', async () => {
    const [first, second] = await Promise.all(agents.map(profileOf));
    assert.deepEqual(first.rankings, { overall: 1, category: { Art: 1 }, percentile: 100 });
    assert.deepEqual(second.rankings, { overall: 2, category: { Art: 2 }, percentile: 0 });
    assert.deepEqual(first.analytics, {
      totalSubmissions: 1,
      totalWins: 1,
      winRate: 100,
      totalEarnings: 1.9,
      averageScore: 5,
      totalProjects: 1,
      successStreak: 1,
      longestStreak: 1,
    });
    assert.deepEqual(first.recentActivity.last7Days, { submissions: 1, wins: 1, earnings: 1.9 });
    assert.deepEqual([second.analytics.averageScore, second.analytics.successStreak], [2, 0]);
  });

  it('count a canceled project only as entered', async () => {
    const [, second] = agents as [Entry, Entry];
    const project = await openProject(world);
    await confirmed(await again(second, project));
    const cancel = { key: operatorKey, body: { reason: 'Against the rules' } };
    expectStatus(await call(url, 'POST', `/operator/projects/${project.id}/cancel`, cancel), 200);
    const { analytics, rankings } = await profileOf(second);
    assert.deepEqual(
      [analytics.totalProjects, analytics.totalSubmissions, analytics.totalWins, analytics.averageScore],
      [2, 2, 0, 2],
    );
    assert.deepEqual(rankings.category, { Art: 2, 'Symbols & Corporate': 1 });
  });

  it('give equal earnings the same rank', async () => {
    const [first, second] = agents as [Entry, Entry];
    const project = await openProject(world, { prizeUsdc: 2, fields: { specializations: ['banner-ads'] } });
    const entry = await confirmed(await again(second, project));
    expectStatus(await asPoster('POST', project, '/close'), 200);
    expectStatus(await asPoster('POST', project, '/winner', { submission_id: entry.submissionId }), 200);
    await completed(project);
    const { rankings, analytics } = await profileOf(second);
    assert.deepEqual([rankings.overall, rankings.percentile, analytics.totalEarnings], [1, 0, 1.9]);
    assert.equal((await profileOf(first)).rankings.overall, 1);
    const { agents: listed } = (await call(url, 'GET', '/leaderboard')).body.data;
    assert.deepEqual(
      listed.map(({ rank, agent, totalEarnings }: { rank: number; agent: { id: string }; totalEarnings: number }) => [
        rank,
        agent.id,
        totalEarnings,
      ]),
      [
        [1, first.agentId, 1.9],
        [1, second.agentId, 1.9],
      ],
    );
  });

  it('count the shares of a prize that nobody judged as earnings, keep streaks, and leave the win rate', async () => {
    const [first, second] = agents as [Entry, Entry];
    const project = await openProject(world, {
      prizeUsdc: 1,
      fields: { judging_hours: 0, specializations: ['illustration'] },
    });
    // The agents' other entries show one picture, and a copy gets no share.
    for (const [index, agent] of [first, second].entries()) {
      const entry = await again(agent, project);
      await upload(entry, await drawing(index));
      expectStatus(await confirmOf(entry), 200);
    }
    expectStatus(await asPoster('POST', project, '/close'), 200);
    await completed(project);
    const { analytics, rankings } = await profileOf(second);
    assert.deepEqual([analytics.totalEarnings, analytics.totalWins, analytics.successStreak], [2.375, 1, 1]);
    const { submissions } = await read(second, '/agents/me/history?status=shared');
    assert.deepEqual(
      submissions.map(({ projectId }: { projectId: string }) => projectId),
      [project.id],
    );
    assert.deepEqual(rankings.category, { Art: 2, Marketing: 1, 'Symbols & Corporate': 1 });
  });

  it('agree with profile, history, and public page', async () => {
    for (const agent of agents) {
      const { analytics, rankings } = await profileOf(agent);
      const { summary } = await read(agent, '/agents/me/history');
      assert.deepEqual(
        [summary.totalSubmissions, summary.totalWins, summary.totalEarnings, summary.averageScore],
        [analytics.totalSubmissions, analytics.totalWins, analytics.totalEarnings, analytics.averageScore],
      );
      const values = {
        winRate: 'winRate',
        earnings: 'totalEarnings',
        submissions: 'totalSubmissions',
        averageScore: 'averageScore',
      };
      for (const [metric, name] of Object.entries(values)) {
        const { value } = await read(agent, `/agents/me/analytics?metric=${metric}&timeframe=all`);
        assert.equal(value, analytics[name], metric);
      }
      const shown = (await call(url, 'GET', `/agents/${agent.agentId}/public`)).body.data;
      assert.deepEqual([shown.analytics, shown.rankings], [analytics, rankings]);
      const { categories } = await read(agent, '/agents/me/analytics?metric=categoryBreakdown&timeframe=all');
      assert.deepEqual(shown.categories, categories);
      const earned = shown.days.reduce((sum: number, day: { earnings: number }) => sum + day.earnings, 0);
      assert.ok(Math.abs(earned - analytics.totalEarnings) < 1e-9);
    }
  });

  it('list the wins of completed projects with pictures on the public page', async () => {
    const [first, second] = agents as [Entry, Entry];
    const wins = async ({ agentId }: Entry) =>
      (await call(url, 'GET', `/agents/${agentId}/public`)).body.data.recentWins as Record<string, unknown>[];
    const [win, ...others] = await wins(first);
    assert.deepEqual(others, []);
    const { decidedAt: _, imageUrl, thumbnailUrl, urlsExpireAt: __, ...rest } = win!;
    assert.deepEqual(rest, {
      submissionId: first.submissionId,
      projectId: first.projectId,
      projectTitle: 'A poster for a lighthouse festival',
      category: 'Art',
      categories: ['Art'],
      earnings: 1.9,
      score: 5,
    });
    for (const shown of [imageUrl, thumbnailUrl]) assert.equal((await fetch(shown as string)).status, 200);
    const [own] = await wins(second);
    await service.deps.db`update projects set status = 'judging' where id = ${own!['projectId'] as string}`;
    assert.deepEqual(await wins(second), []);
    await service.deps.db`update projects set status = 'completed' where id = ${own!['projectId'] as string}`;
  });

  it('count an award that waits for a wallet as a win without earnings', async () => {
    const project = await openProject(world, {
      prizeUsdc: 5,
      entryFeeUsdc: 0,
      fields: { specializations: ['illustration'] },
    });
    const third = await enter(project.id);
    const { data } = (await requestUpload(url, third)).body;
    await putPicture(data.uploadUrl, picture);
    expectStatus(await confirmOf(third), 200);
    expectStatus(await asPoster('POST', project, '/close'), 200);
    expectStatus(await asPoster('POST', project, '/winner', { submission_id: third.submissionId }), 200);
    const { analytics, rankings, recentActivity } = await profileOf(third);
    assert.deepEqual(rankings, { overall: 3, category: { Art: 3 }, percentile: 0 });
    assert.deepEqual([analytics.totalWins, analytics.winRate, analytics.totalEarnings], [1, 100, 0]);
    assert.deepEqual(recentActivity.last7Days, { submissions: 1, wins: 1, earnings: 0 });
    assert.equal((await read(third, '/agents/me/history')).summary.totalEarnings, 4.75);
    assert.equal((await call(url, 'GET', '/leaderboard')).body.data.agents.length, 2);
    const shown = (await call(url, 'GET', `/agents/${third.agentId}/public`)).body.data;
    assert.deepEqual(shown.recentWins, []);
  });

  it('pass the nightly check', async () => {
    clock.offsetMs += 86_400_000;
    await checkStats(service.deps, new AbortController().signal);
    const metrics = await (
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorKey}` } })
    ).text();
    assert.match(metrics, /^concours_figures_mismatches 0$/m);
    assert.match(metrics, /^concours_figures_check_age_seconds [\d.]+$/m);
    assert.deepEqual(errors, []);
  });
});
