import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../../contract/agents/agents.ts';
import { keyOperations } from '../../../../contract/agents/keys.ts';
import { testDatabase } from '../../../../test/support/test-database.ts';
import { issueKey, parseKey } from '../../../keys/format.ts';
import { createAgentAuthenticator } from '../authenticate.ts';
import { createAgent } from '../create-agent.ts';
import { createKey, listKeys, revokeKey } from './account-keys.ts';
import { agentsWorld } from '../../../../test/support/worlds/agents-world.ts';

const { db } = await testDatabase();
const idOf = (apiKey: string) => parseKey(apiKey)?.id ?? assert.fail('not a key');

/** A world with its own clock, one agent, and the authenticator of one process. */
async function setUp() {
  const world = agentsWorld(db);
  const seen: string[] = [];
  const auth = createAgentAuthenticator(world.deps, { record: ({ agentId }) => seen.push(agentId) });
  Object.assign(world.deps, { knownKeys: auth });
  const register = async () => {
    const body = {
      agent_name: 'Ada',
      description: 'Draws logos by hand and by number.',
      specializations: ['logo-design'],
    };
    return await createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(body) });
  };
  const { agentId, apiKey } = await register();
  const further = async () => {
    const answer = await createKey(world.as(agentId, apiKey), { body: { name: 'Program', scope: 'owner' } });
    return keyOperations.createKey.output.parse(answer).apiKey;
  };
  return { ...world, auth, seen, register, agentId, apiKey, further };
}

describe('authentication', () => {
  it('finds the agent by its key, and records the activity', async () => {
    const { auth, agentId, apiKey, seen } = await setUp();
    await db`update agents set tier = 'pro', status = 'limited' where id = ${agentId}`;
    const restriction = { reason: null, until: null };
    const caller = {
      kind: 'agent',
      agentId,
      keyId: idOf(apiKey),
      scope: 'owner',
      tier: 'pro',
      status: 'limited',
      restriction,
    };
    assert.deepEqual(await auth.authenticate(apiKey), caller);
    assert.deepEqual(seen, [agentId]);
  });

  it('rejects text that is not a key, unknown keys, wrong secrets, and keys of another kind or network', async () => {
    const { auth, apiKey, seen, agentId } = await setUp();
    const stranger = issueKey('ck_test', randomBytes);
    // The checksum and the id are right and the secret is wrong, so only the stored hash reveals it.
    const forged = issueKey('ck_test', (size) => (size === 16 ? Buffer.alloc(16, 1) : randomBytes(32)));
    await db`insert into api_keys (id, kind, account_id, scope, secret_hash, created_at)
      values (${forged.id}, 'agent', ${agentId}, 'owner', ${randomBytes(32)}, now())`;
    const foreign = (['ck_live', 'cp_test'] as const).map((prefix) => issueKey(prefix, randomBytes).key);
    for (const text of ['', 'x', apiKey.slice(0, -1), `${apiKey}x`, stranger.key, forged.key, ...foreign]) {
      assert.equal(await auth.authenticate(text), null, text);
    }
    assert.deepEqual(seen, []);
  });

  it('applies a change of status or tier, and the removal of an agent, within one second', async () => {
    const { auth, agentId, apiKey, advance } = await setUp();
    await auth.authenticate(apiKey);
    await db`update agents set status = 'suspended' where id = ${agentId}`;
    advance(900);
    assert.equal((await auth.authenticate(apiKey))?.status, 'suspended');
    await db`delete from api_keys where account_id = ${agentId}`;
    await db`delete from agents where id = ${agentId}`;
    advance(900);
    assert.equal(await auth.authenticate(apiKey), null);
  });
});

describe('listKeys', () => {
  it("lists the agent's own keys newest first, marks the current one, and shows no secret", async () => {
    const { apiKey, agentId, further, register, as, advance, at } = await setUp();
    await register();
    advance(1000);
    const second = await further();
    const answer = keyOperations.listKeys.output.parse(await listKeys(as(agentId, apiKey)));
    assert.deepEqual(answer.keys, [
      {
        id: idOf(second),
        name: 'Program',
        scope: 'owner',
        createdAt: at(0).toISOString(),
        lastUsedAt: null,
        expiresAt: null,
        current: false,
      },
      {
        id: idOf(apiKey),
        name: null,
        scope: 'owner',
        createdAt: at(-1000).toISOString(),
        lastUsedAt: at(0).toISOString(),
        expiresAt: null,
        current: true,
      },
    ]);
  });
});

describe('revokeKey', () => {
  it('ends a key at once in this process, and within one second in another process', async () => {
    const { auth, apiKey, agentId, further, as, deps, advance } = await setUp();
    const elsewhere = createAgentAuthenticator(deps, { record: () => {} });
    const second = await further();
    for (const process of [auth, elsewhere]) assert.ok(await process.authenticate(apiKey));
    const answer = await revokeKey(as(agentId, second), { params: { key_id: idOf(apiKey) } });
    assert.equal(answer.keyId, idOf(apiKey));
    assert.equal(await auth.authenticate(apiKey), null);
    advance(900);
    assert.equal(await elsewhere.authenticate(apiKey), null);
    assert.ok(await auth.authenticate(second));
  });

  it("answers for another agent's key as for an unknown key, and leaves that key valid", async () => {
    const { auth, apiKey, agentId, register, as } = await setUp();
    const other = await register();
    const answers = await Promise.allSettled(
      [idOf(other.apiKey), '0'.repeat(22)].map((key_id) => revokeKey(as(agentId, apiKey), { params: { key_id } })),
    );
    const [foreign, unknown] = answers.map((answer) =>
      answer.status === 'rejected' ? { ...answer.reason, text: String(answer.reason) } : assert.fail(),
    );
    assert.equal(foreign?.code, 'NOT_FOUND');
    assert.deepEqual(foreign, unknown);
    assert.ok(await auth.authenticate(other.apiKey));
  });
});
