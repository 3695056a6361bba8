import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, type Registered, registerPoster } from '../support/clients/journey.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url, operatorKey } = world;
const db = sharedDatabase(world);

const create = (body: object) => call(url, 'POST', '/agents/create', { body });
const me = async ({ key }: { key: string }) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
const fieldsOf = ({ body }: { body: { error: { details: { field: string }[] } } }) =>
  body.error.details.map(({ field }) => field);
const valid = {
  agent_name: '  Ada  ',
  description: 'An agent that draws lighthouses at dusk.',
  specializations: ['logo_design', 'logo-design', 'brand-identity'],
  model_info: { model_type: 'diffusion', version: '3', constructor: { nested: [1, null] } },
};

describe('POST /agents/create', () => {
  it('registers an agent: 201, a working key, and a picture', async () => {
    const { agentId, apiKey, avatar_url, ...rest } = expectStatus(await create(valid), 201).body.data;
    assert.deepEqual(Object.keys(rest), ['message', 'terms_url', 'terms_version']);
    assert.match(apiKey, /^ck_test_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/);
    const { agent } = await me({ key: apiKey });
    assert.deepEqual(
      [agent.id, agent.name, agent.specializations, agent.model_info],
      [agentId, 'Ada', ['logo-design', 'brand-identity'], valid.model_info],
    );
    const avatar = await fetch(avatar_url);
    assert.deepEqual([avatar.status, avatar.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match(avatar.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.match(await avatar.text(), /^<svg/);
  });

  it('names every failing field in one answer, in plain words', async () => {
    const bad = { agent_name: ' a ', description: [], specializations: ['time-travel'], model_info: 7 };
    const refused = await create({ ...bad, wallet_address: '0x1' });
    codeIs(refused, 400, 'VALIDATION_ERROR', /model_info: must be an object/);
    const fields = ['agent_name', 'description', 'model_info', 'specializations', 'wallet_address'];
    assert.deepEqual(fieldsOf(refused).toSorted(), fields);
    for (const field of fields) assert.match(refused.body.error.message, new RegExp(`(: |; )${field}: `));
    assert.doesNotMatch(refused.body.error.message, /record|received|Invalid input/);
    const unknown = await create({ ...valid, specializations: ['logo-design', 'time-travel'] });
    codeIs(unknown, 400, 'VALIDATION_ERROR', /^Validation failed: specializations: unknown or retired: time-travel/);
    const { specializations } = (await call(url, 'GET', '/specializations')).body.data;
    const ids = specializations.map(({ id }: { id: string }) => id);
    const [{ message }] = unknown.body.error.details;
    assert.ok(message.endsWith(`GET /specializations lists the ids, without a key: ${ids.join(', ')}`), message);
    const long = await create({ ...valid, agent_name: 'x'.repeat(101), description: 'x'.repeat(5001) });
    assert.deepEqual(fieldsOf(long), ['agent_name', 'description']);
    codeIs(await create({ ...valid, specializations: Array.from('abcdef') }), 400, 'VALIDATION_ERROR', /1 to 5/);
    codeIs(await create({ ...valid, model_info: { text: 'ä'.repeat(2048) } }), 400, 'VALIDATION_ERROR', /4 KB/);
    codeIs(await call(url, 'POST', '/agents/create', { raw: '{' }), 400, 'VALIDATION_ERROR', /not valid JSON/);
  });
});

describe('GET /agents/me', () => {
  it('answers AGENT_NOT_FOUND after the agent is deleted, although its key is cached; a change does too', async () => {
    const agent = await registerAgent(url);
    await me(agent);
    await db`delete from api_keys where account_id = ${agent.id}`;
    await db`delete from agents where id = ${agent.id}`;
    codeIs(await call(url, 'GET', '/agents/me', { key: agent.key }), 404, 'AGENT_NOT_FOUND');
    codeIs(await set(agent, { minBudget: 1 }), 404, 'AGENT_NOT_FOUND');
  });
});

it('GET /avatars/{agent_id} is public, cacheable, and exists only for agents', async () => {
  const { id } = await registerAgent(url);
  const get = (path: string) => fetch(`${url}/api/v1/avatars/${path}`);
  const one = await get(id);
  const shown = ['cache-control', 'cross-origin-resource-policy'].map((name) => one.headers.get(name));
  assert.deepEqual(shown, ['public, max-age=300', 'cross-origin']);
  const picture = await one.text();
  const other = await (await get(`${id}?seed=${encodeURIComponent('<script>alert(1)</script>')}`)).text();
  assert.notEqual(other, picture);
  assert.doesNotMatch(other, /<script|alert|<foreignObject/);
  for (const same of [id.toUpperCase(), `${id}?seed=`]) assert.equal(await (await get(same)).text(), picture);
  const poster = await registerPoster(url);
  for (const missing of [poster.id, 'nobody'])
    codeIs(await call(url, 'GET', `/avatars/${missing}`), 404, 'AGENT_NOT_FOUND');
});

it('GET /agents/specializations lists the catalog in its four categories', async () => {
  const { key } = await registerAgent(url);
  const { specializations } = expectStatus(await call(url, 'GET', '/agents/specializations', { key }), 200).body.data;
  assert.deepEqual(
    new Set(specializations.map(({ category }: { category: string }) => category)),
    new Set(['Design', 'Art', 'Marketing', 'Symbols & Corporate']),
  );
  assert.deepEqual(Object.keys(specializations[0]), ['id', 'name', 'description', 'category']);
});

const put = ({ key }: Registered, body: unknown) => call(url, 'PUT', '/agents/me', { key, body });
const set = (agent: Registered, settings: unknown) => put(agent, { settings });
const settingsOf = async (agent: Registered) => (await me(agent)).agent.settings;

describe('PUT /agents/me', () => {
  it('changes the named fields, keeps the rest, and answers as GET /agents/me does', async () => {
    const agent = await registerAgent(url);
    const before = await me(agent);
    const settings = {
      autoParticipate: true,
      maxConcurrentProjects: 3,
      minBudget: 0.000001,
      maxBudget: 250.5,
      preferredCategories: ['Art', 'Symbols & Corporate'],
      workingHours: { timezone: 'Europe/Berlin', start: '22:00', end: '06:30', weekends: false },
      filterWebhooks: true,
    };
    const specializations = ['emblem_design', 'portrait', 'portrait'];
    const about = { agent_name: ' Night Emblems ', description: ' Draws emblems at night, and only then. ' };
    const body = { ...about, settings, specializations };
    const changed = expectStatus(await put(agent, { ...body, model_info: { version: '4' } }), 200).body.data;
    assert.deepEqual(changed.agent, {
      ...before.agent,
      name: about.agent_name.trim(),
      description: about.description.trim(),
      settings,
      specializations: ['emblem-design', 'portrait'],
      model_info: { version: '4' },
      lastActive: changed.agent.lastActive,
    });
    const shown = await call(url, 'GET', `/operator/agents/${agent.id}`, { key: operatorKey });
    assert.deepEqual(expectStatus(shown, 200).body.data.agent.model_info, { version: '4' });
    assert.equal(expectStatus(await put(agent, { model_info: null }), 200).body.data.agent.model_info, null);
    assert.deepEqual(await settingsOf(agent), settings);
  });

  it('merges partial settings, also of working hours; an empty change changes nothing', async () => {
    const agent = await registerAgent(url);
    const before = await settingsOf(agent);
    expectStatus(await set(agent, { minBudget: 10, workingHours: { timezone: 'Asia/Kathmandu' } }), 200);
    expectStatus(await set(agent, { workingHours: { end: '17:00' } }), 200);
    for (const body of [{}, { settings: {} }, { settings: { workingHours: {} } }])
      expectStatus(await put(agent, body), 200);
    assert.deepEqual(await settingsOf(agent), {
      ...before,
      minBudget: 10,
      workingHours: { ...before.workingHours, timezone: 'Asia/Kathmandu', end: '17:00' },
    });
    expectStatus(await set(agent, { preferredCategories: ['marketing', ' ART ', 'Art'] }), 200);
    assert.deepEqual((await settingsOf(agent)).preferredCategories, ['Marketing', 'Art']);
  });

  it('names every field that cannot be changed, also in settings, and changes nothing', async () => {
    const agent = await registerAgent(url);
    const before = await me(agent);
    const settings = { minBudget: -1, theme: 'dark', workingHours: { lunch: '12:00' } };
    const answer = await put(agent, {
      description: 'A fine description, really.',
      name: 'Eve',
      tier: 'elite',
      settings,
    });
    codeIs(answer, 403, 'UPDATE_FORBIDDEN');
    const fields = ['name', 'tier', 'settings.theme', 'settings.workingHours.lunch'];
    assert.deepEqual(fieldsOf(answer).toSorted(), fields.toSorted());
    for (const field of ['id', 'status', 'createdAt', 'analytics', 'wallet', 'apiKey', 'x'.repeat(5000)])
      codeIs(await put(agent, { [field]: 1 }), 403, 'UPDATE_FORBIDDEN');
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field${n}`, n]));
    assert.match((await put(agent, many)).body.error.message, /and 2950 more/);
    // The ranks follow what other tests earn.
    const own = (shown: typeof before) => ({ ...shown.agent, lastActive: 0, rankings: null });
    assert.deepEqual(own(await me(agent)), own(before));
  });

  it('accepts settings to the exact edge of their range: INVALID_SETTINGS beyond, with names', async () => {
    const agent = await registerAgent(url);
    const hours = (change: object) => ({ workingHours: change });
    for (const settings of [
      { maxConcurrentProjects: 1, minBudget: 0, maxBudget: 0 },
      { maxConcurrentProjects: 5, maxBudget: 1_000_000, minBudget: 1_000_000 },
      { minBudget: 1e-6, preferredCategories: ['Design', 'Art', 'Marketing', 'Symbols & Corporate'] },
      hours({ start: '00:00', end: '23:59', timezone: 'Etc/GMT+12' }),
    ])
      expectStatus(await set(agent, settings), 200);
    const before = await settingsOf(agent);
    const wrong: [string, unknown][] = [
      ['', null],
      ['', []],
      ['.maxConcurrentProjects', { maxConcurrentProjects: 0 }],
      ['.maxConcurrentProjects', { maxConcurrentProjects: 101 }],
      ['.maxConcurrentProjects', { maxConcurrentProjects: '3' }],
      ['.minBudget', { minBudget: -0.000001 }],
      ['.maxBudget', { maxBudget: 1_000_000.000001 }],
      ['.maxBudget', { maxBudget: 0.0000001 }],
      ['.autoParticipate', { autoParticipate: 'yes' }],
      ['.filterWebhooks', { filterWebhooks: 1 }],
      ['.preferredCategories', { preferredCategories: ['Art', 'Poetry'] }],
      ['.preferredCategories.0', { preferredCategories: [7] }],
      ['.workingHours.start', hours({ start: '24:00' })],
      ['.workingHours.end', hours({ end: '9:00' })],
      ['.workingHours.timezone', hours({ timezone: 'Mars/Olympus' })],
      ['.workingHours.timezone', hours({ timezone: '+02:00' })],
      ['.workingHours.weekends', hours({ weekends: null })],
      ['.workingHours', hours([])],
    ];
    for (const [field, settings] of wrong) {
      const answer = await put(agent, { description: 'Not to be seen by anybody.', settings });
      codeIs(answer, 400, 'INVALID_SETTINGS', /^Invalid settings: /);
      assert.deepEqual(fieldsOf(answer), [`settings${field}`], JSON.stringify(settings));
    }
    assert.deepEqual(await settingsOf(agent), before);
  });

  it('compares the budgets with each other, also with the stored one', async () => {
    const agent = await registerAgent(url);
    codeIs(await set(agent, { minBudget: 5.000001, maxBudget: 5 }), 400, 'INVALID_SETTINGS', /5\.000001.*greater/);
    expectStatus(await set(agent, { minBudget: 5, maxBudget: 5 }), 200);
    codeIs(await set(agent, { minBudget: 5.000001 }), 400, 'INVALID_SETTINGS', /settings\.minBudget/);
    codeIs(await set(agent, { maxBudget: 4.999999 }), 400, 'INVALID_SETTINGS', /settings\.maxBudget/);
  });

  it('allows as many concurrent projects as the daily quota of the tier, which is the default', async () => {
    const agent = await registerAgent(url);
    for (const [tier, most] of [
      ['starter', 5],
      ['pro', 25],
      ['elite', 100],
    ] as const) {
      await db`update agents set tier = ${tier} where id = ${agent.id}`;
      expectStatus(await set(agent, { maxConcurrentProjects: null }), 200);
      assert.equal((await settingsOf(agent)).maxConcurrentProjects, most);
      expectStatus(await set(agent, { maxConcurrentProjects: most }), 200);
      const above = await set(agent, { maxConcurrentProjects: most + 1 });
      if (tier === 'elite') codeIs(above, 400, 'INVALID_SETTINGS', /1 to 100/);
      else codeIs(above, 403, 'TIER_RESTRICTED', new RegExp(`at most ${most}, the daily quota of the ${tier} tier`));
    }
  });

  it('refuses texts and specializations as the registration does', async () => {
    const agent = await registerAgent(url);
    const both = await put(agent, { description: 'short', specializations: ['time-travel'] });
    codeIs(both, 400, 'VALIDATION_ERROR');
    assert.deepEqual(fieldsOf(both), ['description', 'specializations']);
    codeIs(await put(agent, { model_info: { text: 'x'.repeat(4096) } }), 400, 'VALIDATION_ERROR', /: model_info: /);
    codeIs(await call(url, 'PUT', '/agents/me', { key: agent.key }), 400, 'VALIDATION_ERROR', /a JSON body/);
  });

  it('keeps all of many concurrent changes', async () => {
    const agent = await registerAgent(url);
    const workingHours = { timezone: 'Europe/Berlin', start: '08:00', end: '18:00', weekends: false };
    const settings = { autoParticipate: true, maxConcurrentProjects: 2, minBudget: 1, maxBudget: 9 };
    const changes = [
      ...Object.entries(settings).map(([name, value]) => ({ [name]: value })),
      ...Object.entries(workingHours).map(([name, value]) => ({ workingHours: { [name]: value } })),
    ];
    for (const answer of await Promise.all(changes.map((each) => set(agent, each)))) expectStatus(answer, 200);
    const after = await settingsOf(agent);
    assert.deepEqual({ ...after, ...settings, workingHours }, after);
  });
});
