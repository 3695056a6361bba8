import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, type Registered } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000' } });
const { url, operatorKey, service, clock, errors } = world;
const { db } = service.deps;

const me = async ({ key }: Registered) => expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
const put = ({ key }: Registered, body: unknown): Promise<Answer> => call(url, 'PUT', '/agents/me', { key, body });
const set = (agent: Registered, settings: unknown): Promise<Answer> => put(agent, { settings });
const settingsOf = async (agent: Registered) => (await me(agent)).agent.settings;
const setTier = (agent: Registered, tier: string) => db`update agents set tier = ${tier} where id = ${agent.id}`;

const DEFAULTS = {
  autoParticipate: false,
  maxConcurrentProjects: 5,
  minBudget: 0,
  maxBudget: 1_000_000,
  preferredCategories: [],
  workingHours: { timezone: 'UTC', start: '00:00', end: '23:59', weekends: true },
  filterWebhooks: false,
};

describe('PUT /agents/me', () => {
  it('changes the named fields, keeps the rest, and answers as GET /agents/me does', async () => {
    const agent = await registerAgent(url);
    const before = await me(agent);
    assert.deepEqual(before.agent.settings, DEFAULTS);
    const settings = {
      autoParticipate: true,
      maxConcurrentProjects: 3,
      minBudget: 0.000001,
      maxBudget: 250.5,
      preferredCategories: ['Art', 'Symbols & Corporate'],
      workingHours: { timezone: 'Europe/Berlin', start: '22:00', end: '06:30', weekends: false },
      filterWebhooks: true,
    };
    const description = ' Draws emblems at night, and only then. ';
    const answer = await put(agent, {
      description,
      settings,
      specializations: ['emblem_design', 'portrait', 'portrait'],
      model_info: { version: '4' },
    });
    const changed = expectStatus(answer, 200).body.data;
    assert.deepEqual(changed.agent, {
      ...before.agent,
      description: description.trim(),
      settings,
      specializations: ['emblem-design', 'portrait'],
      model_info: { version: '4' },
      lastActive: changed.agent.lastActive,
    });
    const read = await me(agent);
    assert.deepEqual(read, { ...changed, agent: { ...changed.agent, lastActive: read.agent.lastActive } });
    const [row] = await db`select model_info from agents where id = ${agent.id}`;
    assert.deepEqual(row?.['model_info'], { version: '4' });
    const operators = await call(url, 'GET', `/operator/agents/${agent.id}`, { key: operatorKey });
    assert.deepEqual(expectStatus(operators, 200).body.data.agent.model_info, { version: '4' });
    const removed = expectStatus(await put(agent, { model_info: null }), 200).body.data;
    assert.equal(removed.agent.model_info, null);
    assert.equal((await db`select model_info from agents where id = ${agent.id}`)[0]?.['model_info'], null);
    assert.deepEqual(await settingsOf(agent), settings);
  });

  it('merges partial settings, also of working hours; an empty change changes nothing', async () => {
    const agent = await registerAgent(url);
    expectStatus(await set(agent, { minBudget: 10, workingHours: { timezone: 'Asia/Kathmandu' } }), 200);
    expectStatus(await set(agent, { workingHours: { end: '17:00' } }), 200);
    for (const body of [{}, { settings: {} }, { settings: { workingHours: {} } }])
      expectStatus(await put(agent, body), 200);
    assert.deepEqual(await settingsOf(agent), {
      ...DEFAULTS,
      minBudget: 10,
      workingHours: { ...DEFAULTS.workingHours, timezone: 'Asia/Kathmandu', end: '17:00' },
    });
    const { body } = await set(agent, { preferredCategories: ['marketing', ' ART ', 'Art'] });
    assert.deepEqual(body.data.agent.settings.preferredCategories, ['Marketing', 'Art']);
  });

  it('names every field that cannot be changed, also in settings, and changes nothing', async () => {
    const agent = await registerAgent(url);
    const before = await me(agent);
    const answer = await put(agent, {
      description: 'A description that would be fine.',
      name: 'Eve',
      tier: 'elite',
      settings: { minBudget: -1, theme: 'dark', workingHours: { lunch: '12:00' } },
      constructor: 1,
    });
    codeIs(answer, 403, 'UPDATE_FORBIDDEN');
    const fields = ['name', 'tier', 'constructor', 'settings.theme', 'settings.workingHours.lunch'];
    const named = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.toSorted(), fields.toSorted());
    for (const field of fields) assert.ok(answer.body.error.message.includes(field), field);
    const readOnly = ['id', 'agent_name', 'status', 'createdAt', 'lastActive', 'analytics', 'rankings', 'wallet'];
    for (const field of [...readOnly, 'recentActivity', 'webhooks', 'apiKey', 'modelInfo', 'x'.repeat(5000)])
      codeIs(await put(agent, { [field]: before.agent[field] ?? 1 }), 403, 'UPDATE_FORBIDDEN');
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field${n}`, n]));
    const { error } = (await put(agent, many)).body;
    assert.deepEqual([error.details.length, /and 2950 more/.test(error.message)], [50, true]);
    const { agent: unchanged } = await me(agent);
    assert.deepEqual({ ...unchanged, lastActive: 0 }, { ...before.agent, lastActive: 0 });
  });

  it('accepts settings to the exact edge of their range: INVALID_SETTINGS beyond, with names', async () => {
    const agent = await registerAgent(url);
    await setTier(agent, 'elite');
    const hours = (change: object) => ({ workingHours: change });
    const good = [
      ...[1, 100].map((maxConcurrentProjects) => ({ maxConcurrentProjects })),
      { minBudget: 0, maxBudget: 0 },
      { maxBudget: 1_000_000, minBudget: 1_000_000 },
      { minBudget: 1e-6 },
      ...[[], ['Design', 'Art', 'Marketing', 'Symbols & Corporate']].map((preferredCategories) => ({
        preferredCategories,
      })),
      ...['00:00', '23:59', '09:30'].flatMap((time) => [hours({ start: time }), hours({ end: time })]),
      ...['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12', 'Pacific/Chatham'].map((timezone) =>
        hours({ timezone }),
      ),
    ];
    for (const settings of good) assert.equal((await set(agent, settings)).status, 200, JSON.stringify(settings));
    const wrong: [string, unknown][] = [
      ['settings', null],
      ['settings', 'none'],
      ['settings', []],
      ...[0, 101, -1, 1.5, '3', 1e300].map((value): [string, unknown] => [
        'settings.maxConcurrentProjects',
        { maxConcurrentProjects: value },
      ]),
      ...[-0.000001, 1_000_000.000001, 0.0000001, '5', null, true].flatMap((value): [string, unknown][] => [
        ['settings.minBudget', { minBudget: value }],
        ['settings.maxBudget', { maxBudget: value }],
      ]),
      ['settings.autoParticipate', { autoParticipate: 'yes' }],
      ['settings.filterWebhooks', { filterWebhooks: 1 }],
      ['settings.preferredCategories', { preferredCategories: 'Art' }],
      ['settings.preferredCategories', { preferredCategories: ['Art', 'Poetry'] }],
      ['settings.preferredCategories.0', { preferredCategories: [7] }],
      ...['24:00', '23:60', '9:00', '09:00:00', '', '0900', 9].flatMap((time): [string, unknown][] => [
        ['settings.workingHours.start', hours({ start: time })],
        ['settings.workingHours.end', hours({ end: time })],
      ]),
      ...['Mars/Olympus', '+02:00', '', 'Europe/', 'x'.repeat(65), 2].map((timezone): [string, unknown] => [
        'settings.workingHours.timezone',
        hours({ timezone }),
      ]),
      ['settings.workingHours.weekends', hours({ weekends: null })],
      ['settings.workingHours', hours([])],
    ];
    const before = await settingsOf(agent);
    for (const [field, settings] of wrong) {
      const answer = await put(agent, { description: 'Not to be seen by anybody.', settings });
      codeIs(answer, 400, 'INVALID_SETTINGS', /^Invalid settings: /);
      const fields = answer.body.error.details.map((detail: { field: string }) => detail.field);
      assert.deepEqual(fields, [field], JSON.stringify(settings));
    }
    assert.deepEqual(await settingsOf(agent), before);
  });

  it('compares the budgets with each other, also with the stored one', async () => {
    const agent = await registerAgent(url);
    codeIs(await set(agent, { minBudget: 5.000001, maxBudget: 5 }), 400, 'INVALID_SETTINGS', /5\.000001.*greater/);
    expectStatus(await set(agent, { minBudget: 5, maxBudget: 5 }), 200);
    codeIs(await set(agent, { minBudget: 5.000001 }), 400, 'INVALID_SETTINGS', /settings\.minBudget/);
    codeIs(await set(agent, { maxBudget: 4.999999 }), 400, 'INVALID_SETTINGS', /settings\.maxBudget/);
    expectStatus(await set(agent, { minBudget: 6, maxBudget: 7 }), 200);
  });

  it('allows as many concurrent projects as the tier’s daily quota: TIER_RESTRICTED above', async () => {
    const agent = await registerAgent(url);
    for (const [tier, most] of [
      ['starter', 5],
      ['pro', 25],
      ['elite', 100],
    ] as const) {
      await setTier(agent, tier);
      expectStatus(await set(agent, { maxConcurrentProjects: most }), 200);
      const above = await put(agent, {
        description: 'Not to be seen by anybody.',
        settings: { maxConcurrentProjects: most + 1 },
      });
      if (tier === 'elite') codeIs(above, 400, 'INVALID_SETTINGS', /1 to 100/);
      else codeIs(above, 403, 'TIER_RESTRICTED', new RegExp(`at most ${most}, the daily quota of the ${tier} tier`));
      assert.equal((await settingsOf(agent)).maxConcurrentProjects, most);
    }
    assert.notEqual((await me(agent)).agent.description, 'Not to be seen by anybody.');
  });

  it('takes the tier’s daily quota while maxConcurrentProjects is unset, also after null', async () => {
    const agent = await registerAgent(url);
    const shown = async () => (await settingsOf(agent)).maxConcurrentProjects;
    for (const [tier, quota] of [
      ['starter', 5],
      ['pro', 25],
      ['elite', 100],
    ] as const) {
      await setTier(agent, tier);
      assert.equal(await shown(), quota);
      // Another setting does not fix the value.
      expectStatus(await set(agent, { autoParticipate: true }), 200);
    }
    expectStatus(await set(agent, { maxConcurrentProjects: 7 }), 200);
    expectStatus(await set(agent, { minBudget: 1 }), 200);
    assert.equal(await shown(), 7);
    expectStatus(await set(agent, { maxConcurrentProjects: null }), 200);
    assert.equal(await shown(), 100);
  });

  it('refuses texts and specializations as the registration does', async () => {
    const agent = await registerAgent(url);
    const wrong = {
      description: ['x'.repeat(24), 'x'.repeat(5001), null, 7],
      specializations: [[], ['time-travel'], ['a', 'b', 'c', 'd', 'e', 'f'], 'portrait'],
      model_info: [7, 'gpt', { text: 'x'.repeat(4096) }],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values)
        codeIs(await put(agent, { [field]: value }), 400, 'VALIDATION_ERROR', new RegExp(`: ${field}: `));
    codeIs(await call(url, 'PUT', '/agents/me', { key: agent.key }), 400, 'VALIDATION_ERROR', /a JSON body/);
  });

  it('keeps all of many concurrent changes', async () => {
    const agent = await registerAgent(url);
    const changes: object[] = [
      { autoParticipate: true },
      { maxConcurrentProjects: 2 },
      { minBudget: 1 },
      { maxBudget: 9 },
      { preferredCategories: ['Design'] },
      { workingHours: { timezone: 'Europe/Berlin' } },
      { workingHours: { start: '08:00' } },
      { workingHours: { end: '18:00' } },
      { workingHours: { weekends: false } },
      { filterWebhooks: true },
    ];
    const answers = await Promise.all([
      ...changes.map((settings) => set(agent, settings)),
      put(agent, { description: 'Changed while everything else was.' }),
      put(agent, { specializations: ['portrait'] }),
    ]);
    assert.ok(answers.every(({ status }) => status === 200));
    const { description, specializations, settings } = (await me(agent)).agent;
    assert.deepEqual(
      [description, specializations, settings],
      [
        'Changed while everything else was.',
        ['portrait'],
        {
          autoParticipate: true,
          maxConcurrentProjects: 2,
          minBudget: 1,
          maxBudget: 9,
          preferredCategories: ['Design'],
          workingHours: { timezone: 'Europe/Berlin', start: '08:00', end: '18:00', weekends: false },
          filterWebhooks: true,
        },
      ],
    );
  });

  it('accepts limited agents and those under review, not suspended ones', async () => {
    const agent = await registerAgent(url);
    for (const [status, expected] of [
      ['limited', 200],
      ['under_review', 200],
      ['suspended', 403],
    ] as const) {
      await db`update agents set status = ${status} where id = ${agent.id}`;
      clock.offsetMs += 1000;
      assert.equal((await set(agent, { minBudget: 1 })).status, expected, status);
    }
    clock.offsetMs = 0;
  });
});

it('answers AGENT_NOT_FOUND after the agent is deleted, although its key is cached', async () => {
  const agent = await registerAgent(url);
  await me(agent);
  await db`delete from agent_keys where agent_id = ${agent.id}`;
  await db`delete from agents where id = ${agent.id}`;
  codeIs(await set(agent, { minBudget: 1 }), 404, 'AGENT_NOT_FOUND');
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('updateMe'), []);
  assert.deepEqual(errors, []);
});
