import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chaos } from '../chaos/chaos.ts';
import { judge, judgeTimes } from '../chaos/judge.ts';
import { missingPackages } from '../chaos/program.ts';

// The short form of `npm run test:chaos`: each part is killed once and an api twice, with PgBouncer in session mode.
const PER_SECOND = 20;
/**
 * Wider than the bounds of the long form: the CI's two processors also run other tests, and decide how long a failover
 * takes. At a load of 17, it took 20 s. An answer is late by what the processes wait for a processor.
 */
const BOUNDS = { outageMs: 30_000, answerMs: 15_000, paymentMs: 20_000, mayShed: true } as const;

const missing = missingPackages();
const skip = missing.length === 0 || process.env['CI'] ? false : `needs ${missing.join(' and ')}`;

it('a kill of any part loses nothing that was acknowledged, and charges and pays nobody twice', { skip }, async (t) => {
  assert.deepEqual(missing, [], 'CI must provide these packages');
  const report = await chaos({
    pooler: 'session',
    kills: (part) => (part === 'api' ? 2 : 1),
    perSecond: PER_SECOND,
    say: (line) => t.diagnostic(line),
  });
  for (const { part, longestRefusalMs, slowestMs, slowest } of report.figures)
    t.diagnostic(`${part}: at most ${longestRefusalMs} ms of refusals, and ${slowestMs} ms for an answer (${slowest})`);
  assert.deepEqual([...judge(report), ...judgeTimes(report, BOUNDS)], []);
  for (const [step, count] of Object.entries(report.acknowledged)) assert.ok(count > 0, `nobody has ${step}`);
});
