import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTogether } from './read-together.ts';

/** A reader of ids whose queries end when the test says so. */
function world() {
  const queries: { ids: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const find = readTogether(async (ids) => {
    const end = Promise.withResolvers<void>();
    queries.push({ ids, end });
    await end.promise;
    return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, `row ${id}`]));
  });
  return { find, queries, ids: () => queries.map(({ ids }) => ids) };
}

describe('reading rows together', () => {
  it('reads the first ids at once, and those that come meanwhile in one query', async () => {
    const { find, queries, ids } = world();
    const asked = ['a', 'b', 'c', 'unknown', 'c'].map(find);
    assert.deepEqual(ids(), [['a'], ['b']]);
    queries[0]!.end.resolve();
    assert.equal(await asked[0], 'row a');
    assert.deepEqual(ids(), [['a'], ['b'], ['c', 'unknown']]);
    for (const { end } of queries) end.resolve();
    assert.deepEqual(await Promise.all(asked), ['row a', 'row b', 'row c', null, 'row c']);
  });

  it('fails the ids of a failed query only, and goes on', async () => {
    const { find, queries, ids } = world();
    const asked = ['a', 'b', 'c'].map(find);
    queries[0]!.end.reject(new Error('connection lost'));
    await assert.rejects(asked[0]!, /connection lost/);
    for (const { end } of queries) end.resolve();
    assert.deepEqual(await Promise.all(asked.slice(1)), ['row b', 'row c']);
    const later = find('d');
    assert.deepEqual(ids().at(-1), ['d']);
    queries.at(-1)!.end.resolve();
    assert.equal(await later, 'row d');
  });

  it('reads at most 500 ids in one query', async () => {
    const { find, queries } = world();
    const asked = Array.from({ length: 1_002 }, (_, index) => find(String(index)));
    for (let done = 0; done < queries.length; done += 1) {
      queries[done]!.end.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(
      queries.map(({ ids }) => ids.length),
      [1, 1, 500, 500],
    );
    assert.equal((await Promise.all(asked)).length, 1_002);
  });
});
