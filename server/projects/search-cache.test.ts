import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { projectsWorld } from '../../test/support/worlds/projects-world.ts';
import { forgetSearches, sharedSearch } from './search-cache.ts';

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

  it('keeps a page when its search runs a second time within one second', async () => {
    let runs = 0;
    const search = async () => (runs += 1);
    for (const [ms, run] of [
      [0, 1],
      [300, 2],
      [600, 2],
      [1299, 2],
      [1300, 3],
      [2400, 4],
      [2500, 5],
      [2600, 5],
    ] as const) {
      assert.equal(await sharedSearch(db, 'alone', at(ms), search), run);
    }
  });

  it('does not keep a failed search', async () => {
    await assert.rejects(sharedSearch(db, 'failing', at(0), () => Promise.reject(new Error('gone'))));
    assert.equal(await sharedSearch(db, 'failing', at(1), async () => 'well again'), 'well again');
  });

  it('keeps a bounded number of pages', async () => {
    for (let index = 0; index < 500; index += 1) {
      const search = () => sharedSearch(db, `page ${index}`, at(1), async () => index);
      await Promise.all([search(), search()]);
    }
    assert.equal(await sharedSearch(db, 'page 499', at(2), async () => 'again'), 499);
    assert.equal(await sharedSearch(db, 'page 399', at(2), async () => 'again'), 'again');
  });

  it('drops all pages on forgetSearches', async () => {
    await sharedSearch(db, 'told', at(0), async () => 1);
    forgetSearches(db);
    assert.equal(await sharedSearch(db, 'told', at(0), async () => 2), 2);
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
