import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { projectsWorld } from '../../test/support/worlds/projects-world.ts';
import { sharedSearch } from './search-cache.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const at = (ms: number) => new Date(1_000_000 + ms);

describe('sharedSearch', () => {
  it('runs identical searches of one second once, and returns the same object to all callers', async () => {
    let runs = 0;
    const search = async () => ({ run: (runs += 1) });
    const together = await Promise.all([0, 0, 500, 999].map((ms) => sharedSearch(db, 'a', at(ms), search)));
    assert.equal(new Set(together).size, 1);
    assert.equal(await sharedSearch(db, 'a', at(999), search), together[0]);
    assert.equal(runs, 1);
    assert.deepEqual(await sharedSearch(db, 'b', at(0), search), { run: 2 });
    assert.deepEqual(await sharedSearch(db, 'a', at(1000), search), { run: 3 });
    // After the clock was set back, the page is not fresh.
    assert.deepEqual(await sharedSearch(db, 'a', at(0), search), { run: 4 });
  });
});

describe('searchProjects with the cache', () => {
  it('returns one page to all agents in the same access group, and another to elite agents', async () => {
    const pages = await Promise.all([
      world.searchText({ status: 'open,judging' }, world.agent('starter')),
      world.searchText({ status: 'judging,open' }, world.agent('pro')),
      world.searchText({ status: 'open,judging' }, world.agent('elite')),
      world.searchText({ status: 'open,judging', limit: '21' }),
    ]);
    assert.equal(pages[0], pages[1]);
    assert.equal(new Set(pages).size, 3);
    world.advance(1000);
    assert.notEqual(await world.searchText({ status: 'open,judging' }), pages[0]);
  });
});
