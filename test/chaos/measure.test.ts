import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Exchange } from './exchanges.ts';
import { judgeTimes } from './judge.ts';
import { measure } from './measure.ts';

function exchange(began: number, ended: number, answer: Partial<Exchange>): Exchange {
  return { kind: 'search', began, ended, status: 200, code: null, says: '', fault: null, ...answer };
}

it('sums up every kill of a part, and keeps the longest times of all', () => {
  const down = { status: 503, code: 'DATABASE_ERROR' };
  const { figures } = measure(
    [
      exchange(0, 10, down),
      exchange(100, 600, down),
      exchange(1_000, 1_010, down),
      exchange(1_000, 3_010, down),
      exchange(3_500, 8_500, { kind: 'pay' }),
      exchange(3_500, 5_540, { kind: 'confirm' }),
      exchange(3_500, 5_530, { kind: 'pay quote' }),
    ],
    [
      { part: 'primary', at: 0 },
      { part: 'primary', at: 1_000 },
    ],
  );
  assert.partialDeepStrictEqual(figures, [
    {
      part: 'primary',
      kills: 2,
      requests: 7,
      refused: 4,
      longestRefusalMs: 2_000,
      slowestMs: 2_040,
      slowest: 'confirm',
      longestPaymentMs: 5_000,
      failedReads: 4,
    },
  ]);
});

it('allows 17 s only for an answer to a payment, and 6 s for every other answer', () => {
  const lasting = (kind: string, ms: number) =>
    judgeTimes(measure([exchange(0, ms, { kind })], [{ part: 'node', at: 0 }]));
  for (const kind of ['confirm', 'pay quote', 'publish quote', 'search']) {
    assert.deepEqual(lasting(kind, 6_000), []);
    assert.deepEqual(lasting(kind, 6_001), [`node: ${kind} answered after 6001 ms`]);
  }
  for (const kind of ['pay', 'publish']) {
    assert.deepEqual(lasting(kind, 17_000), []);
    assert.deepEqual(lasting(kind, 17_001), [`node: ${kind} answered after 17001 ms`]);
  }
});
