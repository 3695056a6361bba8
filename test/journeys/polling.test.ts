import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  registerPoster,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Agents without a webhook follow new projects, from the draft to the end of early access.

const EARLY_ACCESS_S = 15;
const world = await startWorld({
  env: { EARLY_ACCESS_SECONDS: String(EARLY_ACCESS_S), LIMIT_AGENT_READS_PER_MINUTE: '10000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;

type Found = { id: string; created_at: string };

/** Returns a function that polls as docs/agents.md says, and adds to `seen` what it finds. */
async function pollingAgent(tier: string) {
  const agent: Registered = await registerAgent(url);
  await db`update agents set tier = ${tier} where id = ${agent.id}`;
  const seen = new Map<string, string>();
  let horizon = clock.now().toISOString();
  const poll = async () => {
    const query = new URLSearchParams({ status: 'open', created_after: horizon, limit: '50' });
    const answer = expectStatus(
      await call(url, 'GET', `/agents/projects?${query.toString()}`, { key: agent.key }),
      200,
    );
    const { projects, pagination } = answer.body.data as { projects: Found[]; pagination: { horizon: string } };
    for (const { id, created_at } of projects) seen.set(id, created_at);
    horizon = pagination.horizon;
  };
  return { ...agent, tier, seen, poll };
}

describe('polling every 5 s', () => {
  it('finds a project whose draft is old, from the time at which the agent may enter it', async () => {
    const agents = [await pollingAgent('starter'), await pollingAgent('pro'), await pollingAgent('elite')];
    const poster = await registerPoster(url);
    for (const { poll } of agents) await poll();
    const deadline = new Date(clock.now().getTime() + 30 * 86_400_000);
    const { id } = await openProject(world, { poster, deadline });
    // The draft is a week older than its publication.
    const draftedAt = new Date(clock.now().getTime() - 7 * 86_400_000);
    await db`update projects set created_at = ${draftedAt} where id = ${id}`;
    for (let passed = 0; passed <= EARLY_ACCESS_S + 10; passed += 5) {
      for (const { poll } of agents) await poll();
      clock.offsetMs += 5_000;
    }
    const own = expectStatus(await call(url, 'GET', `/posters/me/projects/${id}`, { key: poster.key }), 200);
    const { published_at, drafted_at } = own.body.data.project as { published_at: string; drafted_at: string };
    assert.equal(drafted_at, draftedAt.toISOString());
    const visibleAt = new Date(Date.parse(published_at) + EARLY_ACCESS_S * 1_000).toISOString();
    for (const { key, tier, seen } of agents) {
      const expected = tier === 'elite' ? published_at : visibleAt;
      assert.equal(seen.get(id), expected, tier);
      const detail = expectStatus(await call(url, 'GET', `/agents/projects/${id}`, { key }), 200).body.data.project;
      assert.deepEqual([detail.created_at, detail.drafted_at], [expected, undefined]);
      // The default order has the same time: the project is the newest one.
      const newest = expectStatus(await call(url, 'GET', '/agents/projects?limit=1', { key }), 200).body.data.projects;
      assert.equal(newest[0].id, id, tier);
    }
    const [event] = await db<{ body: string }[]>`select body from webhook_events where project_id = ${id}`;
    assert.equal(JSON.parse(event!.body).data.project.created_at, published_at);
    const market = expectStatus(await call(url, 'GET', '/projects?limit=1'), 200).body.data.projects;
    assert.deepEqual([market[0].id, market[0].published_at], [id, published_at]);
  });
});

it('the service logged no errors', () => {
  assert.deepEqual(errors, []);
});
