import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { createPool } from '../../db/pool.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { listSpecializations } from './list-specializations.ts';
import { specializationCatalog, unknownSpecializations } from './specializations.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import type { Db } from '../../ports/database.ts';

const { db, url } = await testDatabase();
const agentId = '01980000-0000-7000-8000-000000000000';

/** Use a pool of its own, because catalogs are cached per pool. */
function setUp(pool: Db = createPool({ url, connections: 2 })) {
  const world = agentsWorld(pool);
  return { ...world, pool, list: () => listSpecializations(world.as(agentId, ''), {}) };
}

describe('listSpecializations', () => {
  it('lists the seeded catalog in its four categories, with hyphenated ids', async () => {
    const { list, pool } = setUp();
    const answer = agentOperations.listSpecializations.output.parse(await list());
    assert.ok(answer.specializations.length >= 30);
    const categories = new Set(answer.specializations.map((specialization) => specialization.category));
    assert.deepEqual([...categories], ['Art', 'Design', 'Marketing', 'Symbols & Corporate']);
    for (const { id, name, description } of answer.specializations) {
      assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(name.length >= 3 && description.length >= 40, id);
    }
    assert.ok(answer.specializations.some(({ id }) => id === 'logo-design'));
    await pool.end();
  });
});

describe('unknownSpecializations', () => {
  it('names unknown and retired ids; the catalog still describes the retired ones', async () => {
    const { deps, pool } = setUp();
    await db`update specializations set active = false where id = 'comic-art'`;
    assert.deepEqual(await unknownSpecializations(deps, ['logo-design', 'comic-art', 'toString', '__proto__', '']), [
      'comic-art',
      'toString',
      '__proto__',
      '',
    ]);
    const { id, name, description, category } = (await specializationCatalog(deps)).get('comic-art') ?? assert.fail();
    assert.deepEqual([id, name, category], ['comic-art', 'Comic Art', 'Art']);
    assert.ok(description.length > 0);
    await db`update specializations set active = true where id = 'comic-art'`;
    await pool.end();
  });
});
