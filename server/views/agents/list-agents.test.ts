import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { listAgents } from './list-agents.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';

const { db } = await testDatabase();
const setUp = (name?: string) => standingWorld(db, name);

describe("the operator's list", () => {
  const query = { limit: 50 };

  it('finds agents by the prefix of a name in any letter case, sorted by name, page by page', async () => {
    const names = ['Zoë B', 'zoë A', 'ZOË C', 'Zo%ra', 'Zo_ra', 'Zora'];
    const { operator } = await setUp(names[0]);
    for (const name of names.slice(1)) await setUp(name);
    const search = async (text: string) =>
      (await listAgents(operator, { query: { ...query, search: text } })).agents.map(({ name }) => name);
    assert.deepEqual(await search('zoë'), ['zoë A', 'Zoë B', 'ZOË C']);
    // Wildcards of LIKE are matched literally.
    assert.deepEqual(await search('ZO%'), ['Zo%ra']);
    assert.deepEqual(await search('zo_'), ['Zo_ra']);
    assert.deepEqual(await search('oë'), []);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAgents>> = await listAgents(operator, {
        query: { limit: 2, search: 'zo', ...(cursor === null ? {} : { cursor }) },
      });
      seen.push(...page.agents.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, ['Zo%ra', 'Zo_ra', 'Zora', 'zoë A', 'Zoë B', 'ZOË C']);
  });

  it('filters by current status and by tier', async () => {
    const { operator, agentId, set, advance } = await setUp('Mx Standing');
    const idsOf = async (filter: object) =>
      (await listAgents(operator, { query: { ...query, search: 'mx standing', ...filter } })).agents.map(
        ({ id }) => id,
      );
    await set('suspended', { untilMs: 10_000 });
    await db`update agents set tier = 'elite' where id = ${agentId}`;
    assert.deepEqual(await idsOf({ status: 'suspended' }), [agentId]);
    assert.deepEqual(await idsOf({ status: 'suspended', tier: 'elite' }), [agentId]);
    assert.deepEqual(await idsOf({ status: 'suspended', tier: 'pro' }), []);
    assert.deepEqual(await idsOf({ status: 'active' }), []);
    advance(10_000);
    assert.deepEqual(await idsOf({ status: 'suspended' }), []);
    assert.deepEqual(await idsOf({ status: 'active' }), [agentId]);
  });
});
