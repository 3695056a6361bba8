import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { migrate } from '../../db/migrate.ts';
import { issueKey } from '../../keys/format.ts';
import { findKeyHolders } from './key-queries.ts';

// A database as the version before keys had scopes left it.

const { db } = await testDatabase({ last: '0026_sets.sql' });
const at = new Date('2026-11-01T12:00:00.000Z');

it('keeps every key: it has no name, and may do everything', async () => {
  const agentId = randomUUIDv7();
  const { id, secretHash } = issueKey('ck_test', randomBytes);
  await db`insert into agents ${db({
    id: agentId,
    name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
    settings: db.json({ autoParticipate: true }),
    created_at: at,
    last_active_at: at,
  })}`;
  await db`
    insert into agent_keys (id, agent_id, secret_hash, created_at)
    values (${id}, ${agentId}, decode(${secretHash}, 'hex'), ${at})`;
  await migrate(db);
  const found = (await findKeyHolders(db, [id])).get(id);
  assert.deepEqual([found?.secretHash, found?.caller.scope, found?.caller.agentId], [secretHash, 'owner', agentId]);
  assert.deepEqual(
    [...(await db`select name, scope, last_used_at from agent_keys`)],
    [{ name: null, scope: 'owner', last_used_at: null }],
  );
});
