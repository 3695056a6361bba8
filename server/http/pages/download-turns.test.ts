import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDownloadTurns } from './download-turns.ts';

const stays = new AbortController().signal;

it('agents together, each with many slow downloads, delay neither posters nor operators', async () => {
  const turns = createDownloadTurns();
  const slow = Promise.withResolvers<void>();
  const started = new Map<string, number>();
  const begin = (actor: string) =>
    turns.run(
      actor,
      async () => {
        started.set(actor, (started.get(actor) ?? 0) + 1);
        await slow.promise;
      },
      stays,
    );
  const agents = Array.from({ length: 6 }, (_, index) => `agent:${index}`);
  const all = agents.flatMap((agent) => Array.from({ length: 50 }, () => begin(agent)));
  await new Promise(setImmediate);
  const ofAgents = agents.map((agent) => started.get(agent) ?? 0);
  assert.deepEqual([Math.max(...ofAgents), ofAgents.reduce((sum, one) => sum + one, 0)], [4, 16]);
  for (const actor of ['poster:1', 'poster:2', 'operator', 'operator:ada']) all.push(begin(actor));
  await new Promise(setImmediate);
  assert.deepEqual(
    [...started.keys()].filter((actor) => !actor.startsWith('agent:')),
    ['poster:1', 'poster:2', 'operator', 'operator:ada'],
  );
  slow.resolve();
  await Promise.all(all);
});
