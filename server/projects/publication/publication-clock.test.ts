import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createPool } from '../../db/pool.ts';
import { advancePublicationClock, takePublicationTime } from './publication-clock.ts';
import { searchHorizon, searchStart } from './search-times.ts';

const { db, url } = await testDatabase();
let now = Date.parse('2026-03-01T12:00:00.000Z');
const clock = { now: () => new Date(now) };
const START = now;

const publish = () =>
  db.begin(async (tx) => {
    const at = await takePublicationTime(tx, { clock });
    return at.getTime();
  });

/** Reads the clock as a process does that has just started. */
async function horizon(): Promise<number> {
  const pool = createPool({ url, connections: 1 });
  const at = await searchHorizon(pool, clock.now());
  await pool.end();
  return at.getTime();
}

/** The times after which a process that has just started searches for agents that polled at these times. */
async function starts(...polledAt: number[]): Promise<number[]> {
  const pool = createPool({ url, connections: 1 });
  const found = [];
  for (const at of polledAt) found.push((await searchStart(pool, clock.now(), new Date(at))).getTime());
  await pool.end();
  return found;
}

describe('the publication clock', () => {
  it('never goes back while clocks differ by at most 5 s', async () => {
    assert.equal(await publish(), START);
    now = START - 5_000;
    assert.equal(await publish(), START);
    now = START + 1;
    assert.equal(await publish(), START + 1);
  });

  it('moves on without publications, and stands while one is in progress', async () => {
    now += 60_000;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), now);
    const before = now;
    const taken = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const publication = db.begin(async (tx) => {
      await takePublicationTime(tx, { clock });
      taken.resolve();
      await end.promise;
    });
    await taken.promise;
    now += 3_000;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), before);
    end.resolve();
    await publication;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), now);
  });
});

describe('the start of a search by the time of an own last poll', () => {
  // An hour later, so that the tests above matter no more.
  const begin = START + 7_200_000;

  it('lies before a late publication, from its commit on, whoever confirms it and when', async () => {
    now = begin + 600_000;
    await advancePublicationClock({ db, clock });
    const stamp = now;
    await publish();
    // The commit took 30 s. The process was killed then, and nothing has confirmed the publication.
    now += 30_000;
    const early = stamp - 60_000;
    assert.deepEqual(await starts(early, stamp + 29_000), [early - 2_000, stamp - 1]);
    await advancePublicationClock({ db, clock });
    now += 3_600_000;
    await advancePublicationClock({ db, clock });
    assert.deepEqual(await starts(early, stamp + 1_000, stamp + 31_999), [early - 2_000, stamp - 1_000, stamp - 1]);
    assert.deepEqual(await starts(stamp + 32_000), [stamp + 30_000]);
  });
});
