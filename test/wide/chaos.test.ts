import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chaos } from '../chaos/chaos.ts';
import { judge } from '../chaos/judge.ts';
import { missingPackages } from '../chaos/program.ts';

// The short form of `npm run test:chaos`: each part is killed once and an api twice, with PgBouncer in session mode.
const PER_SECOND = 20;

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
  assert.deepEqual(judge(report), []);
  for (const [step, count] of Object.entries(report.acknowledged)) assert.ok(count > 0, `nobody has ${step}`);
});
