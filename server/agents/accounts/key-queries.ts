import type { KeyScope } from '../../../contract/basics/scope.ts';
import type { StoredKey } from '../../keys/public.ts';
import type { AgentCaller, Tier } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import type { Standing } from './status.ts';

type Row = Standing & {
  keyId: string;
  agentId: string;
  tier: Tier;
  scope: KeyScope;
  secretHash: string;
  expiresAt: Date | null;
};

/** Returns keys with the standing of their agents. Both lookups use the primary key. */
export async function findKeyHolders(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Map<string, StoredKey<AgentCaller>>> {
  const rows = await db<Row[]>`
    select k.id as "keyId", a.id as "agentId", a.tier, a.status, a.status_reason as reason,
      a.status_until as until, k.scope, encode(k.secret_hash, 'hex') as "secretHash", k.expires_at as "expiresAt"
    from api_keys k join agents a on a.id = k.account_id
    where k.id = any(${[...keyIds]}) and k.kind = 'agent'`;
  return new Map(
    rows.map(({ keyId, agentId, tier, scope, status, reason, until, secretHash, expiresAt }) => {
      const restriction = status === 'active' ? {} : { restriction: { reason, until } };
      const caller = { kind: 'agent' as const, agentId, keyId, scope, tier, status, ...restriction };
      return [keyId, { secretHash, expiresAt, caller }];
    }),
  );
}
