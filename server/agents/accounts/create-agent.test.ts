import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import type { DomainError } from '../../../contract/basics/errors.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { parseKey } from '../../keys/format.ts';
import { createAgent } from './create-agent.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { createPool } from '../../db/pool.ts';
import { listSpecializations } from './list-specializations.ts';
import { specializationCatalog, unknownSpecializations } from './specializations.ts';
import type { Db } from '../../db/database.ts';
import { getAvatar } from './get-avatar.ts';

const { db, url } = await testDatabase();
const world = agentsWorld(db);

const request = {
  agent_name: 'Ada',
  description: 'Draws logos by hand and by number.',
  specializations: ['logo-design', 'illustration'],
};

const register = (body: object) =>
  createAgent(world.anyone, { body: agentOperations.createAgent.body.parse({ ...request, ...body }) });

const stored = async (agentId: string) =>
  (await db`select * from agents where id = ${agentId}`)[0] ?? assert.fail('no such agent');

const refused = (body: object) => {
  const parsed = agentOperations.createAgent.body.safeParse({ ...request, ...body });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

const anAgent = '01980000-0000-7000-8000-000000000000';

/** Use a pool of its own, because catalogs are cached per pool. */
function setUp(pool: Db = createPool({ url, connections: 2 })) {
  const ownWorld = agentsWorld(pool);
  return { ...ownWorld, pool, list: () => listSpecializations(ownWorld.as(anAgent, ''), {}) };
}

const { params } = agentOperations.getAvatar;
const avatar = (agent_id: string) => getAvatar(world.anyone, { params: params.parse({ agent_id }), query: {} });

async function registerScript(): Promise<string> {
  const body = {
    agent_name: '<script>alert(1)</script>',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  return (await createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(body) })).agentId;
}

describe('createAgent', () => {
  it('registers an agent with a key and a picture', async () => {
    const answer = await register({ agent_name: '  Ada  ', model_info: { model_type: 'diffusion', version: 3 } });
    assert.equal(parseKey(answer.apiKey)?.prefix, 'ck_test');
    assert.equal(answer.avatar_url, `https://concours.test/api/v1/avatars/${answer.agentId}`);
    assert.deepEqual(agentOperations.createAgent.output.parse(answer), answer);
    const { settings, ...row } = await stored(answer.agentId);
    assert.deepEqual(row, {
      id: answer.agentId,
      name: 'Ada',
      description: request.description,
      model_info: { model_type: 'diffusion', version: 3 },
      specializations: ['logo-design', 'illustration'],
      status: 'active',
      tier: 'starter',
      wallet_address: null,
      wallet_proven: false,
      terms_version: null,
      avatar_seed: null,
      pending_wallet: null,
      pending_wallet_at: null,
      wallet_linked_at: null,
      created_at: world.at(0),
      last_active_at: world.at(0),
      status_reason: null,
      status_until: null,
      status_since: null,
    });
    // Unset: it follows the tier.
    assert.equal(settings.maxConcurrentProjects, undefined);
  });

  it('stores no secret: no table contains the key or its random part', async () => {
    const { apiKey } = await register({});
    const id = parseKey(apiKey)?.id ?? assert.fail();
    const rows = await db`
      select to_jsonb(k) as key, to_jsonb(a) as agent from api_keys k join agents a on a.id = account_id where k.id = ${id}`;
    const text = JSON.stringify(rows);
    const secret = apiKey.slice(31, 74);
    assert.ok(text.includes(id));
    assert.ok(
      !text.includes(secret) && !text.includes(Buffer.from(secret).toString('hex')) && !text.includes(apiKey.slice(-6)),
    );
  });

  it('accepts specializations with underscores, and names every unknown one', async () => {
    const { agentId } = await register({ specializations: ['logo_design', 'LOGO-design', ' 3d_render '] });
    assert.deepEqual((await stored(agentId))['specializations'], ['logo-design', '3d-render']);
    await assert.rejects(
      register({ specializations: ['logo-design', 'telepathy', "x'; drop table agents; --"] }),
      (error: DomainError) => {
        assert.equal(error.code, 'VALIDATION_ERROR');
        assert.match(
          error.message,
          /^Validation failed: specializations: unknown or retired: telepathy, x'; drop table agents; --/,
        );
        assert.deepEqual(
          error.details?.map((detail) => detail.field),
          ['specializations'],
        );
        return true;
      },
    );
  });

  it('rejects input that violates the contract, and names the field', () => {
    assert.deepEqual(refused({ agent_name: ' A ' }), ['agent_name']);
    assert.deepEqual(refused({ agent_name: 'A'.repeat(101) }), ['agent_name']);
    assert.deepEqual(refused({ description: 'too short' }), ['description']);
    assert.deepEqual(refused({ description: 'x'.repeat(5001) }), ['description']);
    assert.deepEqual(refused({ specializations: [] }), ['specializations']);
    assert.deepEqual(refused({ specializations: ['a', 'b', 'c', 'd', 'e', 'f'] }), ['specializations']);
    assert.deepEqual(refused({ wallet_address: '0x1234' }), ['wallet_address']);
    assert.deepEqual(refused({ model_info: ['a'] }), ['model_info']);
    assert.deepEqual(refused({ agent_name: 1, description: null }), ['agent_name', 'description']);
    assert.deepEqual(refused({ agent_name: 'A'.repeat(100), description: 'x'.repeat(5000) }), []);
  });

  it('accepts at most 4 KB of model_info, measured in bytes and not in characters', () => {
    const overhead = JSON.stringify({ note: '' }).length;
    assert.deepEqual(refused({ model_info: { note: 'x'.repeat(4096 - overhead) } }), []);
    assert.deepEqual(refused({ model_info: { note: 'x'.repeat(4097 - overhead) } }), ['model_info']);
    assert.deepEqual(refused({ model_info: { note: 'ü'.repeat(2048) } }), ['model_info']);
  });

  it('lets several agents declare the same wallet, because a declaration proves nothing', async () => {
    const wallet_address = '0xABCDEF0123456789abcdef0123456789ABCDEF01';
    const [first, second] = await Promise.all([register({ wallet_address }), register({ wallet_address })]);
    for (const { agentId } of [first, second]) {
      const row = await stored(agentId);
      assert.deepEqual([row['wallet_address'], row['wallet_proven']], [wallet_address.toLowerCase(), false]);
    }
    assert.notEqual(first.agentId, second.agentId);
  });

  it('stores no agent without its key', async () => {
    const fixed = agentsWorld(db, { randomBytes: (size) => Buffer.alloc(size, 7) });
    const body = agentOperations.createAgent.body.parse({ ...request, agent_name: 'Twin' });
    await createAgent(fixed.anyone, { body });
    await assert.rejects(createAgent(fixed.anyone, { body }), { code: '23505' });
    assert.equal((await db`select 1 from agents where name = 'Twin'`).length, 1);
  });
});

describe('listSpecializations', () => {
  it('lists the seeded catalog in its four categories, with hyphenated ids', async () => {
    const { list, pool } = setUp();
    const answer = agentOperations.listSpecializations.output.parse(await list());
    assert.ok(answer.specializations.length >= 30);
    const categories = new Set(answer.specializations.map((specialization) => specialization.category));
    assert.deepEqual([...categories], ['Art', 'Design', 'Marketing', 'Symbols & Corporate']);
    for (const { id, name, description } of answer.specializations) {
      assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(name.length >= 3 && description.length >= 40, id);
    }
    assert.ok(answer.specializations.some(({ id }) => id === 'logo-design'));
    await pool.end();
  });
});

describe('unknownSpecializations', () => {
  it('names unknown and retired ids; the catalog still describes the retired ones', async () => {
    const { deps, pool } = setUp();
    await db`update specializations set active = false where id = 'comic-art'`;
    assert.deepEqual(await unknownSpecializations(deps, ['logo-design', 'comic-art', 'toString', '__proto__', '']), [
      'comic-art',
      'toString',
      '__proto__',
      '',
    ]);
    const { id, name, description, category } = (await specializationCatalog(deps)).get('comic-art') ?? assert.fail();
    assert.deepEqual([id, name, category], ['comic-art', 'Comic Art', 'Art']);
    assert.ok(description.length > 0);
    await db`update specializations set active = true where id = 'comic-art'`;
    await pool.end();
  });
});

describe('getAvatar', () => {
  it('contains no script and no text that the agent wrote', async () => {
    const picture = await avatar(await registerScript());
    assert.doesNotMatch(picture, /<script|\son\w+=|javascript:|alert|href=|<foreignObject/i);
  });

  it('throws AGENT_NOT_FOUND for an unknown agent, and accepts only a UUID', async () => {
    await assert.rejects(avatar('01980000-0000-7000-8000-000000000000'), { code: 'AGENT_NOT_FOUND' });
    for (const agent_id of ['', 'me', '../../keys', "' or true --", '01980000-0000-7000-8000-00000000000']) {
      assert.equal(params.safeParse({ agent_id }).success, false, agent_id);
    }
  });
});
