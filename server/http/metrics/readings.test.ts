import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { it } from 'node:test';
import { Registry } from 'prom-client';
import { type Reading, registerSource } from './readings.ts';

it('leaves out what a part does not tell within the time of a scrape', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // The source has imported the real function by its name.
  syncBuiltinESMExports();
  const registry = new Registry();
  let answer: () => Promise<Reading[]> = async () => [
    ['keys_gas', 1, { address: '0xaa' }],
    ['keys_total', 7],
    ['age', 3],
  ];
  const metrics: Record<string, [string, ...string[]]> = { keys_gas: ['x', 'address'], keys_total: ['x'], age: ['x'] };
  const read = registerSource(registry, { metrics, read: () => answer() });
  for (let times = 0; times < 2; times += 1) {
    await read();
    const text = await registry.metrics();
    for (const line of [/^keys_gas\{address="0xaa"\} 1$/m, /^keys_total 7$/m, /^age 3$/m]) assert.match(text, line);
  }
  answer = () => new Promise(() => {});
  const reading = read();
  t.mock.timers.tick(3_000);
  await reading;
  assert.doesNotMatch(await registry.metrics(), /0xaa|^\w+ \d/m);
});
