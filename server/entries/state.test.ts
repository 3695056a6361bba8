import assert from 'node:assert/strict';
import { it } from 'node:test';
import { activeSince, endOfUtcDay, quotaResetSeconds } from './state.ts';

it('an intent counts for the hours of the setting, also a part of an hour', () => {
  const now = new Date('2026-11-23T12:00:00.000Z');
  assert.equal(activeSince(now, 24).toISOString(), '2026-11-22T12:00:00.000Z');
  assert.equal(activeSince(now, 0.5).toISOString(), '2026-11-23T11:30:00.000Z');
});

it('the quota resets at the next midnight UTC, and at midnight it has a whole day left', () => {
  const midnight = new Date('2026-11-24T00:00:00.000Z');
  assert.deepEqual(endOfUtcDay(new Date(midnight.getTime() - 1)), midnight);
  assert.equal(quotaResetSeconds(new Date(midnight.getTime() - 1)), 1);
  assert.equal(quotaResetSeconds(midnight), 86_400);
});
