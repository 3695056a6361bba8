import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, clock } = world;
const DAY_MS = 86_400_000;

const account = async (key: string) => expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
const midnightAfter = (at: Date) => new Date((Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS).toISOString();

describe('the quota of the day', () => {
  it('shows what is used and left, counts deleted intents, and is that of the quote', async () => {
    const project = await openProject(world);
    const { key } = await registerAgent(url);
    const empty = (await account(key)).quota;
    assert.deepEqual(empty, { limit: 5, used: 0, left: 5, resets_at: midnightAfter(world.service.deps.clock.now()) });
    await createIntent(url, key, project.id);
    expectStatus(await call(url, 'DELETE', `/agents/projects/${project.id}/intent`, { key }), 200);
    const { quota } = await account(key);
    assert.deepEqual([quota.used, quota.left], [1, 4]);
    const quote = await call(url, 'GET', `/agents/projects/${project.id}/quote`, { key });
    assert.deepEqual(quote.body.data.quota, quota);
  });

  it('starts again at midnight UTC', async () => {
    const project = await openProject(world, { deadline: new Date(Date.now() + 3 * DAY_MS) });
    const { key } = await registerAgent(url);
    await createIntent(url, key, project.id);
    const { resets_at } = (await account(key)).quota;
    await clock.at(new Date(Date.parse(resets_at) - 1), async () => assert.equal((await account(key)).quota.used, 1));
    await clock.at(new Date(resets_at), async () => assert.equal((await account(key)).quota.used, 0));
  });
});
