import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, pageOf } from './paging.ts';

describe('a cursor', () => {
  it('decodes to the position that it encodes', () => {
    const place = fc.record(
      {
        at: fc.date({ min: new Date(0), max: new Date(253_402_300_799_999), noInvalidDate: true }),
        id: fc.uuid(),
      },
      { noNullPrototype: true },
    );
    fc.assert(fc.property(place, (given) => assert.deepEqual(decodeCursor(encodeCursor(given)), given)));
  });

  it('is refused when malformed; a forged one is only another position', () => {
    for (const bad of ['', 'x', '!'.repeat(32), '_'.repeat(32), 'A'.repeat(31), 'A'.repeat(33)])
      assert.throws(() => decodeCursor(bad), { code: 'INVALID_PARAMETER' }, bad);
    assert.deepEqual(decodeCursor('A'.repeat(32)), { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' });
  });

  it('is returned while more rows follow', () => {
    const rows = [1, 2, 3].map((n) => ({ at: new Date(n), id: `00000000-0000-0000-0000-00000000000${n}` }));
    assert.deepEqual(
      pageOf(rows, 3, (row) => row),
      { rows, hasMore: false, nextCursor: null },
    );
    const page = pageOf(rows, 2, (row) => row);
    assert.deepEqual([page.rows.length, page.hasMore], [2, true]);
    assert.deepEqual(decodeCursor(page.nextCursor!), rows[1]);
  });
});
