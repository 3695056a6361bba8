import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { brief, expectStatus, registerPoster } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Templates of briefs and prize guidance over HTTP.

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { key } = await registerPoster(url);

const draft = async (fields: object) =>
  expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body: { ...brief(), ...fields } }), 201).body.data
    .project.id as string;
const money = () => ({ prize_amount: 2, entry_fee: 0, auto_select_deadline: brief().auto_select_deadline });

describe('templates and prize guidance', () => {
  const guidance = async (query: string) =>
    expectStatus(await call(url, 'GET', `/market/prizes?${query}`), 200).body.data;
  const none = { enough: false, needed: 5, prize_micro: null, entries: null };

  it('are honest without data, and count completed projects', async () => {
    assert.deepEqual(await guidance('specialization=icon-design'), { ...none, projects: 0 });
    const ids = [];
    for (const prize of [1, 2, 3, 4, 5])
      ids.push(await draft({ ...money(), prize_amount: prize, specializations: ['icon-design', 'pattern-design'] }));
    // Completed projects, without five rounds of payments and payouts.
    await db`
      update projects set status = 'completed', network = 'eip155:84532', asset = ${`0x${'a'.repeat(40)}`},
        pay_to = ${`0x${'b'.repeat(40)}`}, funding_wallet = ${`0x${'c'.repeat(40)}`}, published_at = ${clock.now()}, visible_at = ${clock.now()},
        completed_at = ${clock.now()}, total_submissions = item_count + (prize_micro / 1000000)::integer
      where id = any(${ids})`;
    await db`
      insert into project_listings (spec_key, status, published_at, visible_at, prize_micro, entry_fee_micro, project_id)
      select listing_keys(specializations), status, published_at, visible_at, prize_micro, entry_fee_micro, id
      from projects where id = any(${ids})`;
    const found = {
      enough: true,
      projects: 5,
      needed: 5,
      prize_micro: { median: 3_000_000, lower_quartile: 2_000_000, upper_quartile: 4_000_000 },
      entries: { median: 4, lower_quartile: 3, upper_quartile: 5 },
    };
    assert.deepEqual(await guidance('specialization=icon-design'), found);
    assert.deepEqual(await guidance('specialization=icon-design&item_count=1'), found);
    assert.deepEqual(await guidance('specialization=icon-design&item_count=2'), { ...none, projects: 0 });
    const refused = await call(url, 'GET', '/market/prizes?specialization=icon-design&item_count=21');
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_PARAMETER']);
    const { templates } = expectStatus(await call(url, 'GET', '/templates'), 200).body.data;
    const icons = templates.find((each: { id: string }) => each.id === 'icon-set');
    assert.deepEqual(
      icons.examples.map((each: { id: string }) => each.id),
      ids.toReversed().slice(0, 3),
    );
  });

  it('offers templates that make good drafts as they are', async () => {
    const { templates } = expectStatus(await call(url, 'GET', '/templates'), 200).body.data;
    assert.ok(templates.length >= 6);
    for (const { brief: texts } of templates) await draft({ ...texts, ...money() });
  });
});

it('every answer of these operations was seen', () => {
  assert.deepEqual(notSeen('listTemplates', 'getPrizeGuidance'), []);
  assert.deepEqual(errors, []);
});
