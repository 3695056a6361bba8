import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createPool } from '../../db/pool.ts';
import { advancePublicationClock, searchHorizon, takePublicationTime } from './publication-clock.ts';

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

describe('the publication clock', () => {
  it('never goes back while clocks differ by at most 5 s', async () => {
    assert.equal(await publish(), START);
    now = START - 5_000;
    assert.equal(await publish(), START);
    now = START + 1;
    assert.equal(await publish(), START + 1);
  });

  it('follows a clock that was set back further, so that projects do not open in the future', async () => {
    now = START + 3_600_000;
    assert.equal(await publish(), now);
    now = START + 10_000;
    assert.equal(await publish(), now);
    assert.equal(await horizon(), now);
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

  it('takes the time after the wait for the publication before', async () => {
    const taken = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = db.begin(async (tx) => {
      await takePublicationTime(tx, { clock });
      taken.resolve();
      await end.promise;
    });
    await taken.promise;
    const second = publish();
    now += 10_000;
    end.resolve();
    await first;
    assert.equal(await second, now);
  });

  it('is never ahead of the clock of the process that searches', async () => {
    const at = await publish();
    now -= 2_000;
    assert.equal(await horizon(), now);
    now = at;
  });
});
