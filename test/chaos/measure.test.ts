import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Exchange } from './exchanges.ts';
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
      exchange(3_500, 8_500, { kind: 'pay quote' }),
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
      requests: 5,
      refused: 4,
      longestRefusalMs: 2_000,
      slowestMs: 2_010,
      longestWaitMs: 5_000,
      failedReads: 4,
    },
  ]);
});
