import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, type PrimaryLook, remember } from './replica-state.ts';

/** Looks at a primary that writes 100 bytes and one heartbeat every 250 ms. */
const looks: PrimaryLook[] = Array.from({ length: 21 }, (_, index) => ({
  at: index * 250,
  position: 1_000 + index * 100,
  heartbeat: index,
}));
const NOW = 4_990;
const replica = (index: number) => ({ inRecovery: true, position: 1_000 + index * 100, heartbeat: index });

describe('a replica', () => {
  it('is good while it lacks at most the WAL of the last second', () => {
    assert.deepEqual(judge(replica(19), looks, NOW), { state: 'good', lagMs: 0 });
    assert.deepEqual(judge(replica(15), looks, NOW), { state: 'good', lagMs: 990 });
    assert.deepEqual(judge(replica(14), looks, NOW), { state: 'lagging', lagMs: 1_240 });
  });

  it('does not lag while the primary is idle', () => {
    const idle = looks.map((look) => ({ ...look, position: 1_000, heartbeat: 0 }));
    assert.deepEqual(judge(replica(0), idle, NOW), { state: 'good', lagMs: 0 });
  });

  it('is not read when it does not answer, was promoted, or has replayed nothing', () => {
    assert.equal(judge(null, looks, NOW).state, 'away');
    assert.equal(judge({ ...replica(20), inRecovery: false }, looks, NOW).state, 'promoted');
    assert.equal(judge({ ...replica(20), position: null }, looks, NOW).state, 'lagging');
  });

  it('is not read before it has been watched for 2 s, or while the primary does not answer', () => {
    assert.equal(judge(replica(7), looks.slice(0, 8), 1_999).state, 'unconfirmed');
    assert.equal(judge(replica(8), looks.slice(0, 9), 2_000).state, 'good');
    assert.equal(judge(replica(20), [], NOW).state, 'unconfirmed');
  });

  it('is foreign when its data is not the data at its position', () => {
    assert.equal(judge({ ...replica(19), heartbeat: 21 }, looks, NOW).state, 'foreign');
    assert.equal(judge({ ...replica(19), heartbeat: 18 }, looks, NOW).state, 'foreign');
    // A replica of the former primary, which had written more.
    assert.equal(judge({ inRecovery: true, position: 9_999, heartbeat: 12 }, looks, NOW).state, 'foreign');
  });
});

describe('the looks at the primary', () => {
  it('begin anew when its position goes back: it is another primary', () => {
    const other = { at: 5_250, position: 2_900, heartbeat: 21 };
    assert.deepEqual(remember(looks, other), [other]);
  });

  it('are kept for a minute', () => {
    const later = { at: 64_000, position: 9_000, heartbeat: 99 };
    assert.deepEqual(remember(looks, later), [...looks.slice(16), later]);
  });
});
