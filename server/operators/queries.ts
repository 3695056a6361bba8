import type { OperatorScope } from '../../contract/basics/operator-scope.ts';
import type { StoredKey } from '../keys/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type OperatorRow = {
  id: string;
  name: string;
  scopes: OperatorScope[];
  addedBy: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  codes: boolean;
};

const operatorColumns = (db: Queryable) => db`
  id, name, scopes, added_by as "addedBy", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", code_confirmed_at is not null as codes`;

/** Returns an operator with the hash of the key, by the unique id of the key or of the operator. */
export async function findOperatorWithKey(
  db: Queryable,
  by: { keyId: string } | { operatorId: string },
): Promise<StoredKey<OperatorCaller> | null> {
  const [row] = await db<
    { id: string; name: string; scopes: OperatorScope[]; secretHash: string; expiresAt: Date | null }[]
  >`
    select id, name, scopes, encode(secret_hash, 'hex') as "secretHash", least(expires_at, revoked_at) as "expiresAt"
    from operators where ${'keyId' in by ? db`key_id = ${by.keyId}` : db`id = ${by.operatorId}`}`;
  if (!row) return null;
  const { id: operatorId, name, scopes, secretHash, expiresAt } = row;
  return { secretHash, expiresAt, caller: { kind: 'operator', operatorId, name, scopes } };
}

/** Returns whether a named operator manages the others. */
export async function hasAdmin(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db`
    select from operators
    where 'admin' = any(scopes) and revoked_at is null and (expires_at is null or expires_at > ${now}) limit 1`;
  return rows.length > 0;
}

/** Adds an operator. Returns false when the name belongs to another operator whose key was not revoked. */
export async function insertOperator(
  tx: Tx,
  operator: Omit<OperatorRow, 'codes' | 'revokedAt'> & { keyId: string; secretHash: string },
): Promise<boolean> {
  const { id, name, keyId, secretHash, scopes, addedBy, createdAt, expiresAt } = operator;
  const rows = await tx`
    insert into operators (id, name, key_id, secret_hash, scopes, added_by, created_at, expires_at)
    values (${id}, ${name}, ${keyId}, decode(${secretHash}, 'hex'), ${scopes}, ${addedBy}, ${createdAt}, ${expiresAt})
    on conflict (name) where revoked_at is null do nothing returning id`;
  return rows.length > 0;
}

export async function revokeExpired(tx: Tx, name: string, now: Date): Promise<void> {
  await tx`
    update operators set revoked_at = ${now} where name = ${name} and revoked_at is null and expires_at <= ${now}`;
}

/** Revokes the key of a name. Returns false when it has none that could be revoked. */
export async function revokeByName(tx: Tx, name: string, now: Date): Promise<boolean> {
  const rows =
    await tx`update operators set revoked_at = ${now} where name = ${name} and revoked_at is null returning id`;
  return rows.length > 0;
}

/** Returns the newest operator of a name, also one who was revoked. */
export async function findOperator(db: Queryable, name: string): Promise<OperatorRow | null> {
  const [row] = await db<OperatorRow[]>`
    select ${operatorColumns(db)} from operators where name = ${name} order by created_at desc, id desc limit 1`;
  return row ?? null;
}

/** Returns an operator whose key is valid now. */
export async function findActive(db: Queryable, name: string, now: Date): Promise<OperatorRow | null> {
  const [row] = await db<OperatorRow[]>`
    select ${operatorColumns(db)} from operators
    where name = ${name} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return row ?? null;
}

/** Returns those of the operators whose keys are valid now. None of these keys is revoked before the transaction ends. */
export async function lockActive(tx: Tx, names: string[], now: Date): Promise<OperatorRow[]> {
  return await tx<OperatorRow[]>`
    select ${operatorColumns(tx)} from operators
    where name = any(${names}) and revoked_at is null and (expires_at is null or expires_at > ${now})
    order by id for share`;
}

export async function listOperatorRows(db: Queryable): Promise<OperatorRow[]> {
  return await db<OperatorRow[]>`
    select ${operatorColumns(db)} from operators order by created_at desc, id desc limit 500`;
}

export type CodesRow = {
  name: string;
  secret: Buffer | null;
  confirmed: boolean;
  step: number;
  failures: number;
  failedAt: Date | null;
};

/** Locks the codes of an operator, so that one code cannot serve two requests. */
export async function lockCodes(tx: Tx, id: string): Promise<CodesRow | null> {
  const [row] = await tx<CodesRow[]>`
    select name, code_secret as secret, code_confirmed_at is not null as confirmed, code_step as step,
      code_failures as failures, code_failed_at as "failedAt"
    from operators where id = ${id} for update`;
  return row ?? null;
}

/** Sets or removes the secret. The failures stay, so that a new secret does not reset the limit of guesses. */
export async function setCodeSecret(tx: Tx, id: string, secret: Buffer | null): Promise<void> {
  await tx`update operators set code_secret = ${secret}, code_confirmed_at = null, code_step = 0 where id = ${id}`;
}

export async function confirmCodeSecret(tx: Tx, id: string, now: Date): Promise<void> {
  await tx`update operators set code_confirmed_at = ${now} where id = ${id}`;
}

export async function recordCode(tx: Tx, id: string, step: number): Promise<void> {
  await tx`update operators set code_step = ${step}, code_failures = 0, code_failed_at = null where id = ${id}`;
}

export async function recordWrongCode(tx: Tx, id: string, failures: number, now: Date): Promise<void> {
  await tx`update operators set code_failures = ${failures}, code_failed_at = ${now} where id = ${id}`;
}
