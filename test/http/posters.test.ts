import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url, operatorKey, mintUsdc } = world;
const db = sharedDatabase(world);
const poster = await registerPoster(url);

const projects = '/posters/me/projects';
const draft = async (fields: object = {}, { key } = poster): Promise<string> =>
  expectStatus(await call(url, 'POST', projects, { key, body: { ...brief(), ...fields } }), 201).body.data.project.id;
const read = (id: string, key = poster.key) => call(url, 'GET', `${projects}/${id}`, { key });
const patch = (id: string, body: object, key = poster.key) => call(url, 'PATCH', `${projects}/${id}`, { key, body });
const publish = (id: string, fetchWith = fetch, { key } = poster) =>
  call(url, 'POST', `${projects}/${id}/publish`, { key, fetch: fetchWith });

async function funder() {
  const payer = newPayer();
  await mintUsdc(payer.address, 2_000_000);
  return payer;
}

it('POST /posters/create registers a poster with a key of its own kind', async () => {
  const register = (body: object) => call(url, 'POST', '/posters/create', { body });
  const { data } = expectStatus(await register({ poster_name: 'Studio', email: 'a@example.com' }), 201).body;
  const answered = ['message', 'posterId', 'apiKey', 'link_sent', 'terms_url', 'terms_version'];
  assert.deepEqual(Object.keys(data), answered);
  // This service sends no emails.
  assert.equal(data.link_sent, false);
  assert.match(data.apiKey, /^cp_test_/);
  for (const bad of [{}, { poster_name: 'ab' }, { poster_name: 'x'.repeat(101) }, { poster_name: 'Fine', email: 'no' }])
    codeIs(await register(bad), 400, 'VALIDATION_ERROR', /(poster_name|email): /);
});

describe('drafts', () => {
  it('are created with defaults, read, listed, changed, and deleted', async () => {
    const owner = await registerPoster(url);
    const { key } = owner;
    const created = await call(url, 'POST', projects, { key, body: brief({ prizeUsdc: 2.5 }) });
    const { project } = expectStatus(created, 201).body.data;
    const { status, prize_amount, judging_hours, item_count, published_at, cancel_reason, platform_fee_rate } = project;
    assert.deepEqual(
      [status, prize_amount, judging_hours, item_count, published_at, cancel_reason, platform_fee_rate],
      ['draft', 2_500_000, 72, 1, null, null, 0.05],
    );
    assert.deepEqual((await read(project.id, key)).body.data.project, project);
    const change = { title: 'Another title', color_preferences: ['red'], tags: [] };
    const changed = expectStatus(await patch(project.id, change, key), 200).body.data.project;
    assert.deepEqual([changed.title, changed.color_preferences, changed.id], ['Another title', ['red'], project.id]);
    const listed = (await call(url, 'GET', `${projects}?status=draft&limit=1`, { key })).body.data;
    assert.deepEqual(listed.projects, [{ ...changed, unscored_submissions: null, shown_entry: null }]);
    const pagination = { limit: 1, offset: 0, total_returned: 1, has_more: false, next_cursor: null };
    assert.deepEqual(listed.pagination, pagination);
    const deleted = await call(url, 'DELETE', `${projects}/${project.id}`, { key });
    assert.deepEqual([deleted.status, deleted.body.data.projectId], [200, project.id]);
    codeIs(await read(project.id, key), 404, 'PROJECT_NOT_FOUND');
  });

  it('are refused with every failing field named', async () => {
    const fields: Record<string, unknown[]> = {
      title: ['ab', 'x'.repeat(201), null],
      description: ['x'.repeat(24)],
      prize_amount: [0.999999, -1, 1_000_000.000001, '1e7', 'x'],
      entry_fee: [-0.1, 0.0000001, 'free'],
      specializations: [[], ['unheard-of'], 'logo-design'],
      project_type_id: ['video'],
      item_count: [0, 21, 1.5],
      max_entries: [1, 10_001, 2.5, '2', 0, -2],
      licence: ['MIT', null],
      gallery: ['hidden', null],
      style_references: [['javascript:alert(1)'], ['ftp://example.com'], [1]],
      auto_select_deadline: ['2020-01-01', 'tomorrow', 5],
      judging_hours: [-1, 721],
    };
    const create = (body: object) => call(url, 'POST', projects, { key: poster.key, body });
    for (const [field, values] of Object.entries(fields))
      for (const value of values)
        codeIs(
          await create({ ...brief(), [field]: value }),
          400,
          'VALIDATION_ERROR',
          new RegExp(`^Validation failed: ${field}`),
        );
    const many = await create({ ...brief(), title: 'ab', description: 'short', specializations: ['time-travel'] });
    const named = many.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.toSorted(), ['description', 'specializations', 'title']);
    codeIs(await patch(await draft(), {}), 400, 'VALIDATION_ERROR', /at least one field/);
    codeIs(await patch(await draft(), { status: 'open' }), 400, 'VALIDATION_ERROR', /status: unknown field/);
    for (const query of ['status=open,draft', 'limit=0', 'limit=51', 'offset=-1', 'limit=1&limit=2'])
      codeIs(await call(url, 'GET', `${projects}?${query}`, { key: poster.key }), 400, 'INVALID_PARAMETER');
  });
});

describe('POST …/publish', () => {
  it('freezes what agents enter for, and keeps the project', async () => {
    const { id, poster: owner } = await openProject(world);
    for (const body of [{ item_count: 2 }, { licence: 'assignment' }, { gallery: 'public' }])
      codeIs(await patch(id, body, owner.key), 403, 'UPDATE_FORBIDDEN', /item_count|licence|gallery/);
    codeIs(await call(url, 'DELETE', `${projects}/${id}`, { key: owner.key }), 409, 'PROJECT_STATE_CONFLICT', /open/);
  });

  it('needs a deadline that is not too far away', async () => {
    const id = await draft();
    // As if the operator had shortened the longest open time since the draft.
    await db`update projects set auto_select_deadline = now() + interval '31 days' where id = ${id}`;
    codeIs(await publish(id), 400, 'VALIDATION_ERROR', /auto_select_deadline: must not be later/);
    await db`update projects set auto_select_deadline = now() - interval '1 second' where id = ${id}`;
    codeIs(await publish(id), 409, 'PROJECT_DEADLINE_PASSED');
  });
});

describe('a poster that the operator suspends', () => {
  const setStatus = (id: string, status: string) =>
    call(url, 'PUT', `/operator/posters/${id}/status`, { key: operatorKey, body: { status, reason: 'Spam' } });

  it('publishes nothing new, keeps its open projects, and reads the reason', async () => {
    const { id: opened, poster: owner } = await openProject(world);
    const id = await draft({}, owner);
    expectStatus(await setStatus(owner.id, 'suspended'), 200);
    codeIs(await publish(id, fetch, owner), 403, 'POSTER_SUSPENDED', /Spam/);
    const session = (await call(url, 'GET', '/posters/session', { key: owner.key })).body.data;
    assert.equal(session.suspension.reason, 'Spam');
    expectStatus(await publish(opened, fetch, owner), 200);
    expectStatus(await call(url, 'GET', '/posters/me/keys', { key: owner.key }), 200);
    expectStatus(await setStatus(owner.id, 'active'), 200);
    codeIs(await publish(id, fetch, owner), 402, 'PAYMENT_REQUIRED');
  });

  it('is charged nothing after the suspension, and one of both comes first', async () => {
    const stopped = await registerPoster(url);
    const id = await draft({}, stopped);
    const { pay } = await funder();
    const [published, suspended] = await Promise.all([publish(id, pay, stopped), setStatus(stopped.id, 'suspended')]);
    expectStatus(suspended, 200);
    if (published.status !== 200) codeIs(published, 403, 'POSTER_SUSPENDED');
    codeIs(await publish(await draft({}, stopped), pay, stopped), 403, 'POSTER_SUSPENDED');
    // A suspension that changes nothing leaves no trace.
    expectStatus(await setStatus(stopped.id, 'suspended'), 200);
    const trail = await call(url, 'GET', `/operator/audit?subject=poster:${stopped.id}`, { key: operatorKey });
    assert.equal(trail.body.data.entries.length, 1);
  });
});
