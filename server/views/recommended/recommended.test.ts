import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { FUNDER, projectsWorld } from '../../../test/support/worlds/projects-world.ts';
import { findRecommended, findWorkingMinute, type Recommendation } from './recommended-queries.ts';

const { db } = await testDatabase();

it('working hours follow the local clock of their zone', async () => {
  const hours = { timezone: 'Europe/Berlin', start: '09:00', end: '17:00', weekends: false };
  const cases: [Partial<typeof hours>, string, string | null][] = [
    [{}, '2026-03-02T08:00:30Z', '2026-03-02T08:00:00Z'],
    [{}, '2026-03-02T07:59:59Z', '2026-03-02T08:00:00Z'],
    // The last minute, and Friday's end until Monday.
    [{}, '2026-03-06T15:59:59Z', '2026-03-06T15:59:00Z'],
    [{}, '2026-03-06T16:00:00Z', '2026-03-09T08:00:00Z'],
    // Over midnight, the whole day, and the end of the day.
    [{ start: '22:00', end: '06:00' }, '2026-03-03T04:59:00Z', '2026-03-03T04:59:00Z'],
    [{ start: '22:00', end: '06:00' }, '2026-03-03T05:00:00Z', '2026-03-03T21:00:00Z'],
    [{ start: '09:00', end: '09:00' }, '2026-03-03T23:30:00Z', '2026-03-03T23:30:00Z'],
    [{ end: '23:59' }, '2026-03-02T22:59:30Z', '2026-03-02T22:59:00Z'],
    // Daylight saving time skips 02:00 to 03:00 on March 29.
    [{ start: '02:15', end: '02:45', weekends: true }, '2026-03-28T23:00:00Z', '2026-03-30T00:15:00Z'],
  ];
  for (const [change, now, expected] of cases) {
    const found = await findWorkingMinute(db, { ...hours, ...change }, new Date(now));
    assert.deepEqual(found, expected === null ? null : new Date(expected), `${now} ${JSON.stringify(change)}`);
  }
});

it('finds the open projects that an agent can enter, by expected value', async () => {
  const world = await projectsWorld(db);
  const names = new Map<string, string>();
  const publish = async (name: string, change: object) => names.set(await world.published(change), name);
  await publish('small', { prize_amount: 10, specializations: ['logo-design'] });
  await publish('large', { prize_amount: 50, specializations: ['logo-design', 'illustration'] });
  await publish('foreign', { prize_amount: 60, specializations: ['pixel-art'] });
  await publish('soon', {
    prize_amount: 30,
    specializations: ['logo-design'],
    auto_select_deadline: '2026-03-02T12:00:00Z',
  });
  await world.draft({ specializations: ['logo-design'] });
  const wanted: Recommendation = {
    agentId: '01a1fd68-1a1d-7b89-b14d-8a21a36746c2',
    specializations: ['logo-design'],
    preferred: null,
    minPrizeMicro: 0,
    maxPrizeMicro: 1e12,
    visibleAt: null,
    time: 'published_at',
    endsAfter: new Date('2026-03-02T11:00:00Z'),
    walletAddress: null,
    after: null,
    limit: 10,
  };
  const find = async (change: Partial<Recommendation> = {}) =>
    (await findRecommended(db, { ...wanted, ...change })).map(({ id }) => names.get(id)).join(' ');
  assert.equal(await find(), 'large soon small');
  assert.equal(await find({ preferred: ['illustration'] }), 'large');
  assert.equal(await find({ minPrizeMicro: 10_000_001, maxPrizeMicro: 49_999_999 }), 'soon');
  assert.equal(await find({ endsAfter: new Date('2026-03-02T12:00:00Z') }), 'large small');
  assert.equal(await find({ visibleAt: world.at(-1) }), '');
  assert.equal(await find({ walletAddress: FUNDER }), '');
  const [first] = await findRecommended(db, { ...wanted, limit: 1 });
  assert.ok(first);
  assert.equal(await find({ after: first }), 'soon small');
});
