import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { FUNDER, projectsWorld } from '../../../test/support/worlds/projects-world.ts';
import { findRecommended, type Recommendation } from './recommended-queries.ts';

const { db } = await testDatabase();

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
