import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Turns } from './turns.ts';

test('runs as many works at once as a key may have, and none that waited too long', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const turns = new Turns(8);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('made')));
  const all = Array.from({ length: 10 }, () => turns.run('a', work, 15_000));
  const [short, patient] = [turns.run('a', work, 5_000), turns.run('a', work)];
  assert.equal(ends.length, 8);
  assert.equal(await turns.run('b', async () => 'at once'), 'at once');
  ends.shift()?.();
  await all[0];
  await new Promise(setImmediate);
  assert.equal(ends.length, 8, 'the ninth runs');
  mock.timers.tick(5_000);
  assert.equal(await short, null, 'it waits for less');
  mock.timers.tick(10_000);
  for (const end of ends.splice(0)) end();
  assert.deepEqual(await Promise.all(all.slice(8)), ['made', null]);
  await new Promise(setImmediate);
  for (const end of ends) end();
  assert.equal(await patient, 'made');
  mock.timers.reset();
});
