import type { KeyScope } from '../../../contract/basics/scope.ts';
import type { StoredKey } from '../../keys/public.ts';
import type { AgentCaller, Tier } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import { callerOf, type Standing } from './status.ts';

type Row = Standing & { id: string; tier: Tier; scope: KeyScope; secretHash: string };

/** Returns a key that works, with the standing of its agent. Both lookups use the primary key. */
export async function findKeyHolder(db: Queryable, keyId: string): Promise<StoredKey<AgentCaller> | null> {
  const [row] = await db<Row[]>`
    select a.id, a.tier, a.status, a.status_reason as reason, a.status_until as until, k.scope,
      encode(k.secret_hash, 'hex') as "secretHash"
    from api_keys k join agents a on a.id = k.account_id
    where k.id = ${keyId} and k.kind = 'agent' and k.expires_at is null`;
  return row ? { secretHash: row.secretHash, caller: callerOf(row, { keyId, scope: row.scope }) } : null;
}
