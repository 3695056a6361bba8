import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getAddress } from 'viem';
import { call } from '../support/clients/client.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import {
  brief,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Validation names everything that is wrong, and accepts formats as clients write them.

const world = await startWorld({
  env: { LIMIT_AGENT_READS_PER_MINUTE: '100000', LIMIT_REGISTRATIONS_PER_HOUR: '100000' },
});
const { url, clock, errors } = world;
const { enter } = entriesOf(world);
const cheap = await openProject(world, { entryFeeUsdc: 0.25 });
const { key } = await registerAgent(url);

type Detail = { field: string; message: string };
const fieldsOf = (answer: { body: { error: { details: Detail[] } } }) =>
  answer.body.error.details.map(({ field }) => field).toSorted();

describe('a VALIDATION_ERROR names every failing field in one answer', () => {
  const wrong = { description: 'short', specializations: ['time-travel', 'logo-design'] };

  it('of a registration', async () => {
    const refused = await call(url, 'POST', '/agents/create', { body: { agent_name: 'ab', ...wrong, model_info: [] } });
    codeIs(refused, 400, 'VALIDATION_ERROR', /agent_name: .*specializations: unknown or retired: time-travel;/);
    assert.deepEqual(fieldsOf(refused), ['agent_name', 'description', 'model_info', 'specializations']);
    const only = await call(url, 'POST', '/agents/create', {
      body: { agent_name: 'Ada', description: 'An agent that draws lighthouses.', specializations: ['time-travel'] },
    });
    assert.deepEqual(fieldsOf(only), ['specializations']);
  });

  it('of a profile, and of a draft', async () => {
    assert.deepEqual(fieldsOf(await call(url, 'PUT', '/agents/me', { key, body: wrong })), [
      'description',
      'specializations',
    ]);
    const body = { ...brief(), ...wrong, title: 'ab', auto_select_deadline: '2020-01-01T00:00:00Z' };
    const refused = await call(url, 'POST', '/posters/me/projects', { key: cheap.poster.key, body });
    codeIs(refused, 400, 'VALIDATION_ERROR');
    assert.deepEqual(fieldsOf(refused), ['auto_select_deadline', 'description', 'specializations', 'title']);
  });

  it('in plain words', async () => {
    const refused = await call(url, 'POST', '/agents/create', {
      body: { agent_name: 7, description: [], specializations: 'portrait', model_info: 'gpt' },
    });
    const messages = (refused.body.error.details as Detail[]).map(({ message }) => message);
    for (const message of messages) assert.doesNotMatch(message, /record|received|Invalid input/);
    assert.match(String(refused.body.error.message), /model_info: must be an object/);
  });

  it('only for what is wrong: JSON that cannot be read, and a registration without model_info', async () => {
    codeIs(await call(url, 'POST', '/agents/create', { raw: '{' }), 400, 'VALIDATION_ERROR', /not valid JSON/);
    await registerAgent(url, { model_info: null });
  });
});

describe('numbers in queries', () => {
  const search = (query: string) => call(url, 'GET', `/agents/projects?${query}`, { key });

  it('are read as JSON and Python write them', async () => {
    const found = async (query: string) =>
      (expectStatus(await search(query), 200).body.data.projects as { id: string }[]).length;
    for (const same of ['0.25', '.25', '0.250000', '2.5e-1', '25E-02', '%2B0.25', '+0.25', '25e-2'])
      assert.equal(await found(`min_entry_fee=${same}&max_entry_fee=${same}`), 1, same);
    for (const below of ['1e-05', '1e-6', '0', '.1', '0.'])
      assert.equal(await found(`max_entry_fee=${below}`), 0, below);
    for (const above of ['5.', '1e16', '1e+16', '1e%2B16', '2000000', '1e300']) {
      assert.equal(await found(`max_entry_fee=${above}`), 1, above);
      assert.equal(await found(`min_prize_amount=${above}`), 0, above);
    }
    for (const limit of ['1', '1.0', '1e0', '+1', '01']) assert.equal(await found(`limit=${limit}`), 1, limit);
  });

  it('are refused when they are none', async () => {
    for (const query of [
      'max_entry_fee=1e-7',
      'max_entry_fee=-1',
      'max_entry_fee=NaN',
      'max_entry_fee=inf',
      'max_entry_fee=',
    ])
      codeIs(await search(query), 400, 'INVALID_PARAMETER');
    for (const query of ['limit=1.5', 'limit=5e1x', 'limit=', 'limit=51', 'limit=1e2', 'limit=-1', 'limit=0'])
      codeIs(await search(query), 400, 'INVALID_PARAMETER', /limit: 1 to 50/);
  });
});

it('GET /network shows addresses checksummed, as the 402 does', async () => {
  const { usdc, pay_to: payTo } = expectStatus(await call(url, 'GET', '/network'), 200).body.data;
  assert.deepEqual([usdc.address, payTo], [getAddress(usdc.address), getAddress(payTo)]);
  const entry = await enter(cheap.id);
  const [accepted] = (await requestUpload(url, entry)).body.accepts as { asset: string; payTo: string }[];
  assert.deepEqual([accepted?.asset, accepted?.payTo], [usdc.address, payTo]);
});

it('an expired upload URL answers UPLOAD_URL_EXPIRED, and an untouched one works to the last second', async () => {
  const free = await openProject(world, { entryFeeUsdc: 0 });
  const [first, second] = [await enter(free.id), await enter(free.id)];
  const now = Math.ceil(clock.now().getTime() / 1000) * 1000;
  await clock.at(now, async () => {
    const urls: string[] = [];
    for (const entry of [first, second])
      urls.push(expectStatus(await requestUpload(url, entry), 200).body.data.uploadUrl as string);
    await clock.at(now + 1_799_999, async () => assert.equal(await putPicture(urls[0]!, picture), 200));
    await clock.at(now + 1_800_000, async () => {
      const response = await fetch(urls[1]!, {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: picture,
      });
      const { error } = (await response.json()) as { error: { code: string } };
      assert.deepEqual([response.status, error.code], [403, 'UPLOAD_URL_EXPIRED']);
    });
  });
});

describe('a request that no route takes', () => {
  const ask = (method: string, path: string) => call(url, method, path, { key });

  it('with an empty id names the parameter: INVALID_PARAMETER', async () => {
    const refused = await ask('GET', '/agents/projects/');
    codeIs(refused, 400, 'INVALID_PARAMETER', /projectId/);
    assert.deepEqual(refused.body.error.details, [{ field: 'projectId', message: 'required' }]);
    codeIs(await ask('GET', '/agents/me/submissions/'), 400, 'INVALID_PARAMETER');
  });

  it('with a wrong method names the methods of the path: 405', async () => {
    const refused = await ask('GET', `/agents/projects/${cheap.id}/intent`);
    codeIs(refused, 405, 'NOT_FOUND', /DELETE, POST/);
    assert.equal(refused.headers.get('allow'), 'DELETE, POST');
  });

  it('and that leads nowhere answers 404', async () => {
    for (const path of ['/nothing', '/agents/me/', '/agents//', '/']) codeIs(await ask('GET', path), 404, 'NOT_FOUND');
  });
});

it('categories are kept in the order of the request', async () => {
  const agent = await registerAgent(url);
  const settings = { preferredCategories: ['design', 'Art', 'Design'] };
  const { body } = expectStatus(await call(url, 'PUT', '/agents/me', { key: agent.key, body: { settings } }), 200);
  assert.deepEqual(body.data.agent.settings.preferredCategories, ['Design', 'Art']);
});

it('logs no errors', () => assert.deepEqual(errors, []));
