import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectedValueMicro, placesLeft, requirePlace } from './places.ts';

describe('the expected value of an entry', () => {
  const project = { prizeMicro: 100_000_000, platformFeePpm: 50_000, entryFeeMicro: 250_000, totalSubmissions: 0 };

  it('is the average win of one more entry, rounded down, less the fee', () => {
    assert.equal(expectedValueMicro(project), 94_750_000);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 2 }), 31_416_666);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 10_000 }), -240_501);
    const largest = { ...project, prizeMicro: 9_007_199_254_740_991, entryFeeMicro: 0 };
    assert.equal(expectedValueMicro(largest), 8_556_839_292_003_941);
  });
});

describe('places', () => {
  it('are bounded only with max_entries', () => {
    assert.equal(placesLeft({ maxEntries: null, placesTaken: 7 }), null);
    assert.equal(placesLeft({ maxEntries: 7, placesTaken: 5 }), 2);
    assert.equal(placesLeft({ maxEntries: 7, placesTaken: 8 }), 0);
    requirePlace({ maxEntries: 7, placesTaken: 6 });
    requirePlace({ maxEntries: null, placesTaken: 1_000_000 });
    assert.throws(() => requirePlace({ maxEntries: 7, placesTaken: 7 }), { code: 'PROJECT_FULL' });
  });
});
