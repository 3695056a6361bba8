import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InspectorBusy } from './decode-pool.ts';
import { createPictureMemory } from './picture-memory.ts';

function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: () => resolve() };
}

test('runs work that fits together at once, and the rest in order as memory becomes free', async () => {
  const memory = createPictureMemory({ roomBytes: 100, maxWaiting: 10 });
  const started: string[] = [];
  const works = Object.fromEntries(['a', 'b', 'large', 'small'].map((name) => [name, held()]));
  const run = (name: string, sizeBytes: number) =>
    memory.hold(sizeBytes, async () => {
      started.push(name);
      await works[name]?.promise;
      return name;
    });
  const all = [run('a', 60), run('b', 40), run('large', 100), run('small', 1)];
  const end = async (index: number, name: string) => {
    works[name]?.end();
    assert.equal(await all[index], name);
  };
  await Promise.resolve();
  assert.deepEqual(started, ['a', 'b']);
  await end(0, 'a');
  assert.deepEqual(started, ['a', 'b'], 'the small one does not overtake the large one');
  await end(1, 'b');
  assert.deepEqual(started, ['a', 'b', 'large']);
  await end(2, 'large');
  await end(3, 'small');
});

test('frees the memory after a failure, and refuses callers beyond the queue limit', async () => {
  const memory = createPictureMemory({ roomBytes: 1, maxWaiting: 1 });
  await assert.rejects(
    memory.hold(1, () => Promise.reject(new Error('not read'))),
    /not read/,
  );
  const first = held();
  const running = memory.hold(1, () => first.promise);
  const second = memory.hold(1, async () => 'second');
  await assert.rejects(
    memory.hold(1, async () => 'third'),
    InspectorBusy,
  );
  first.end();
  await running;
  assert.equal(await second, 'second');
});
