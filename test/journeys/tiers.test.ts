import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { cloneProject, enterQuickly } from '../support/rows/cloned-projects.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  registerPoster,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { giveWins } from '../support/rows/tier-awards.ts';
import { toldEvents } from '../support/told-events.ts';

// The benefits of each tier and the rise to it, at the last moment, the last intent, and the last microdollar.

const world = await startWorld({
  env: { EARLY_ACCESS_SECONDS: '60', LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000', LIMIT_AGENT_READS_PER_MINUTE: '10000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { intentOf } = entriesOf(world);

const setTier = (agent: Registered, tier: string) => db`update agents set tier = ${tier} where id = ${agent.id}`;
async function agentOf(tier: string): Promise<Registered> {
  const agent = await registerAgent(url);
  await setTier(agent, tier);
  return agent;
}
const profileOf = async ({ key }: Registered) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;

describe('the early access of elite agents', () => {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/plain').end('ok');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('ends with its last millisecond, in search, recommendations, details, and intents', async () => {
    const [starter, pro, elite] = [await agentOf('starter'), await agentOf('pro'), await agentOf('elite')];
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const [row] = await db<{ visible: Date; published: Date }[]>`
      select visible_at as visible, published_at as published from projects where id = ${id}`;
    const { visible, published } = row!;
    assert.equal(visible.getTime() - published.getTime(), 60_000);
    // The service can repeat a page of the last second, so each search asks for another page.
    let page = 40;
    const seenBy = async ({ key }: Registered) => {
      page -= 1;
      const lists = [`/agents/projects?limit=${page}`, `/agents/projects/recommended?limit=${page}`];
      const listed = await Promise.all(
        lists.map(async (path) => {
          const { projects } = expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
          return projects.some((project: { id: string }) => project.id === id);
        }),
      );
      return [...listed, (await call(url, 'GET', `/agents/projects/${id}`, { key })).status];
    };
    await clock.at(published, async () => assert.deepEqual(await seenBy(elite), [true, true, 200]));
    await clock.at(visible.getTime() - 1, async () => {
      for (const agent of [starter, pro]) {
        assert.deepEqual(await seenBy(agent), [false, false, 404]);
        codeIs(await intentOf(agent.key, id), 404, 'PROJECT_NOT_FOUND');
      }
      expectStatus(await intentOf(elite.key, id), 201);
    });
    await clock.at(visible, async () => {
      for (const agent of [starter, pro]) {
        assert.deepEqual(await seenBy(agent), [true, true, 200]);
        expectStatus(await intentOf(agent.key, id), 201);
      }
    });
  });

  it('applies to webhooks: elite agents get the event at the opening, the others when early access ends', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const agents: Record<string, Registered> = {};
    for (const tier of ['starter', 'pro', 'elite']) {
      const agent = await agentOf(tier);
      const body = { webhook_url: `http://127.0.0.1:${port}/${tier}` };
      expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body }), 201);
      agents[tier] = agent;
    }
    const opened = clock.now();
    await clock.at(opened, async () => {
      const { id } = await openProject(world, { entryFeeUsdc: 0 });
      const told = async (tier: string) => {
        const path = '/agents/webhooks/projects/deliveries';
        const { body } = expectStatus(await call(url, 'GET', path, { key: agents[tier]!.key }), 200);
        const [delivery] = body.data.deliveries.filter((each: { project_id: string }) => each.project_id === id);
        return delivery.attempts.map(({ at }: { at: string }) => Date.parse(at) - opened.getTime()) as number[];
      };
      await until('the elite agent', async () => (await told('elite')).length > 0);
      await clock.at(opened.getTime() + 59_999, async () => {
        // Only one of the ten parts is due: that of the elite agents.
        const [{ parts }] = await db<[{ parts: number }]>`
          select count(*)::int as parts from webhook_fan_outs f join webhook_events e on e.id = f.event_id
          where e.project_id = ${id} and f.due_at <= ${clock.now()}`;
        assert.equal(parts, 1);
        assert.deepEqual([await told('pro'), await told('starter')], [[], []]);
      });
      await clock.at(opened.getTime() + 60_000, async () => {
        for (const tier of ['pro', 'starter']) {
          await until(`the ${tier}`, async () => (await told(tier)).length > 0);
          assert.deepEqual(await told(tier), [60_000]);
        }
        assert.deepEqual(await told('elite'), [0]);
      });
    });
  });
});

describe('the daily quota', () => {
  for (const [tier, quota] of [
    ['starter', 5],
    ['pro', 25],
    ['elite', 100],
  ] as const) {
    it(`of the tier ${tier} is ${quota} from the first to the last millisecond of a UTC day`, async () => {
      const { id: like } = await openProject(world, { entryFeeUsdc: 0 });
      const days = 86_400_000;
      const midnight = (Math.floor(clock.now().getTime() / days) + 2) * days;
      const columns = {
        auto_select_deadline: new Date(midnight + 7 * days),
        visible_at: new Date(midnight - 3 * days),
      };
      const clone = () => cloneProject(db, like, columns);
      const agent = await agentOf(tier);
      const entered = (at: number, projectId: string) =>
        enterQuickly(db, { projectId, agentId: agent.id, status: 'submitted', at: new Date(at) });
      // One intent of the previous day, the rest in the first moment of this day.
      await entered(midnight - days - 1, await clone());
      for (let n = 1; n < quota; n += 1) await entered(midnight - days, await clone());
      const left = [await clone(), await clone(), await clone()];
      await clock.at(midnight - 1, async () => {
        expectStatus(await intentOf(agent.key, left[0]!), 201);
        const refused = await intentOf(agent.key, left[1]!);
        codeIs(refused, 429, 'RATE_LIMIT_EXCEEDED', new RegExp(`${tier} tier.* ${quota} projects a day`));
        assert.equal(refused.headers.get('retry-after'), '1');
      });
      await clock.at(midnight, async () => {
        expectStatus(await intentOf(agent.key, left[1]!), 201);
        expectStatus(await intentOf(agent.key, left[2]!), 201);
      });
    });
  }
});

const poster = await registerPoster(url);

describe('a tier rises', () => {
  /** Wins a project with this prize after `winsBefore` wins, and waits until the prize is on chain. */
  async function win(prizeUsdc: number, { winsBefore = 0, tier = 'starter' } = {}) {
    const project = await openProject(world, { poster, prizeUsdc, entryFeeUsdc: 0 });
    clock.offsetMs += 60_000;
    const winner = await enter(world, project);
    await giveWins(db, winner.id, winsBefore);
    await db`update agents set tier = ${tier} where id = ${winner.id}`;
    expectStatus(await close(world, project), 200);
    expectStatus(await choose(world, project, winner), 200);
    const decided = (await profileOf(winner)).agent;
    const paid = await until('the prize', async () => {
      const { agent } = await profileOf(winner);
      return agent.analytics.totalEarnings > 0 && agent;
    });
    return { winner, decided, paid };
  }

  const risesOf = async ({ id }: Registered) =>
    (await toldEvents(db, 'TIER.CHANGED')).filter(({ stream }) => stream === `agent:${id}`).map(({ data }) => data);

  for (const [before, from, to] of [
    [8, 'starter', 'starter'],
    [9, 'starter', 'pro'],
    [48, 'pro', 'pro'],
    [49, 'pro', 'elite'],
    [9, 'elite', 'elite'],
  ] as const) {
    it(`with the win from ${before} to ${before + 1}: ${from} to ${to}`, async () => {
      const { winner, decided, paid } = await win(1, { winsBefore: before, tier: from });
      assert.deepEqual(
        [decided.tier, decided.analytics.totalWins, paid.tier, paid.analytics.totalEarnings],
        [to, before + 1, to, 0.95],
      );
      assert.deepEqual(await risesOf(winner), from === to ? [] : [{ tier: to, previous: from }]);
    });
  }

  // 95% of these prizes, rounded down to the microdollar.
  for (const [prize, earned, to] of [
    [526.315789, 499.999999, 'starter'],
    [526.31579, 500, 'pro'],
    [2105.263157, 1999.999999, 'pro'],
    [2105.263158, 2000, 'elite'],
  ] as const) {
    it(`with earnings when they are paid: ${earned} USDC make a ${to}`, async () => {
      const { winner, decided, paid } = await win(prize);
      assert.deepEqual([decided.tier, decided.analytics.totalEarnings], ['starter', 0]);
      assert.deepEqual([paid.analytics.totalEarnings, paid.tier], [earned, to]);
      const rises = await risesOf(winner);
      assert.equal(rises.at(-1)?.['tier'] ?? 'starter', to);
      // The quota of the new tier applies too.
      clock.offsetMs += 1000;
      const settings = { maxConcurrentProjects: 6 };
      const answer = await call(url, 'PUT', '/agents/me', { key: winner.key, body: { settings } });
      assert.equal(answer.status, to === 'starter' ? 403 : 200);
    });
  }
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
