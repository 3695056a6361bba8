import type { Queryable, Tx } from '../db/database.ts';

/** The account of an endpoint. */
export type Account = { kind: 'agent' | 'poster'; id: string };

/** An endpoint of an agent or a poster. */
export type EndpointRow = {
  id: string;
  kind: Account['kind'];
  accountId: string;
  /** It is the one webhook of the specification, which gets new projects. */
  specified: boolean;
  url: string;
  types: string[];
  status: 'active' | 'disabled';
  disabledReason: string | null;
  failingSince: Date | null;
  verifiedAt: Date | null;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = (db: Queryable) => db`
  id, account_kind as kind, account_id as "accountId", specified, url, types, status, disabled_reason as "disabledReason",
  failing_since as "failingSince", verified_at as "verifiedAt", secret, previous_secret as "previousSecret",
  previous_until as "previousUntil", created_at as "createdAt", updated_at as "updatedAt"`;

/** Names one endpoint of an account: by its id, or the specified one of an agent. */
export type EndpointName = { account: Account; id: string } | { account: Account; specified: true };

const named = (db: Queryable, name: EndpointName) => db`
  account_kind = ${name.account.kind} and account_id = ${name.account.id}
  and ${'id' in name ? db`id = ${name.id}` : db`specified`}`;

export async function findEndpoint(db: Queryable, name: EndpointName): Promise<EndpointRow | null> {
  const [row] = await db<EndpointRow[]>`select ${columns(db)} from webhook_endpoints where ${named(db, name)}`;
  return row ?? null;
}

/** Locks endpoints before their deliveries, as the sender does. */
export async function lockEndpoint(tx: Tx, name: EndpointName): Promise<EndpointRow | null> {
  const [row] = await tx<EndpointRow[]>`
    select ${columns(tx)} from webhook_endpoints where ${named(tx, name)} for no key update`;
  return row ?? null;
}

export async function lockAnyEndpoint(tx: Tx, id: string): Promise<EndpointRow | null> {
  const [row] = await tx<EndpointRow[]>`
    select ${columns(tx)} from webhook_endpoints where id = ${id} for no key update`;
  return row ?? null;
}

/** Lists the endpoints of an account, oldest first. Index webhook_endpoints_account. */
export async function listEndpointRows(db: Queryable, { kind, id }: Account): Promise<EndpointRow[]> {
  return await db<EndpointRow[]>`
    select ${columns(db)} from webhook_endpoints
    where account_kind = ${kind} and account_id = ${id} order by id`;
}

/** Lets the changes of an account that add endpoints come one after the other. */
export async function lockAccount(tx: Tx, { kind, id }: Account): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${kind} ${id}`}, 0))`;
}

export type NewEndpoint = Pick<EndpointRow, 'id' | 'kind' | 'accountId' | 'specified' | 'url' | 'types' | 'secret'> & {
  /** The host name of the URL. */
  host: string;
  now: Date;
};

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<EndpointRow> {
  const { id, kind, accountId, specified, url, host, types, secret, now } = endpoint;
  const [row] = await tx<[EndpointRow]>`
    insert into webhook_endpoints
      (id, account_kind, account_id, specified, url, host, types, secret, created_at, updated_at)
    values (${id}, ${kind}, ${accountId}, ${specified}, ${url}, ${host}, ${types}, ${secret}, ${now}, ${now})
    returning ${columns(tx)}`;
  return row;
}

/** What changes; undefined keeps a member. A `url` forgets the health of the one before. */
export type EndpointChange = {
  url?: { url: string; host: string; verifiedAt: Date | null } | undefined;
  types?: string[] | undefined;
  secret?: { sealed: Buffer; previousUntil: Date } | undefined;
  now: Date;
};

export async function updateEndpointRow(
  tx: Tx,
  id: string,
  { url, types, secret, now }: EndpointChange,
): Promise<EndpointRow> {
  const [row] = await tx<[EndpointRow]>`
    update webhook_endpoints set updated_at = ${now}, types = coalesce(${types ?? null}::text[], types)
      ${
        url === undefined
          ? tx``
          : tx`, url = ${url.url}, host = ${url.host}, verified_at = ${url.verifiedAt}, status = 'active',
              disabled_reason = null, failing_since = null, slow = false`
      }
      ${
        secret === undefined
          ? tx``
          : tx`, previous_secret = secret, previous_until = ${secret.previousUntil}, secret = ${secret.sealed}`
      }
    where id = ${id} returning ${columns(tx)}`;
  return row;
}

export async function deleteEndpointRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from webhook_endpoints where id = ${id}`;
}

export async function markDisabled(tx: Tx, id: string, reason: string, now: Date): Promise<EndpointRow> {
  const [row] = await tx<[EndpointRow]>`
    update webhook_endpoints set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
    where id = ${id} returning ${columns(tx)}`;
  return row;
}

/** An endpoint after an attempt, with the URL that was sent to: nothing holds for a URL that replaced it. */
export type Health = { id: string; url: string; ok: boolean; slow: boolean };

/** Writes what an attempt says about its endpoint. Returns whether this was the first success of the URL. */
export async function recordHealth(tx: Tx, { id, url, ok, slow }: Health, now: Date): Promise<boolean> {
  const [row] = await tx<{ first: boolean }[]>`
    with before as (select id, verified_at from webhook_endpoints where id = ${id} and url = ${url} for no key update)
    update webhook_endpoints e set slow = ${slow},
      failing_since = case when ${ok} then null else coalesce(failing_since, ${now}) end,
      verified_at = case when ${ok} then coalesce(e.verified_at, ${now}) else e.verified_at end
    from before where e.id = before.id
    returning ${ok} and before.verified_at is null as first`;
  return row?.first ?? false;
}

/** Disables an endpoint that is gone, or that has failed since a time. Null when neither is so. */
export async function disableFailed(
  tx: Tx,
  { id, url }: Health,
  { gone, since, now }: { gone: boolean; since: Date; now: Date },
): Promise<EndpointRow | null> {
  const reason = gone ? 'it answered 410 Gone' : 'nothing was delivered for 120 hours';
  const [row] = await tx<EndpointRow[]>`
    update webhook_endpoints set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
    where id = ${id} and url = ${url} and status = 'active' and (${gone} or failing_since <= ${since})
    returning ${columns(tx)}`;
  return row ?? null;
}

/** The encrypted secrets of one endpoint. */
export type SealedRow = Pick<EndpointRow, 'id' | 'secret' | 'previousSecret'>;

export async function listSecrets(db: Queryable): Promise<SealedRow[]> {
  return await db<SealedRow[]>`select id, secret, previous_secret as "previousSecret" from webhook_endpoints`;
}

/** Replaces the secrets of a row that still has those of `row`: its owner may have rotated them meanwhile. */
export async function replaceSecrets(db: Queryable, row: SealedRow, sealed: Omit<SealedRow, 'id'>): Promise<void> {
  await db`
    update webhook_endpoints set secret = ${sealed.secret}, previous_secret = ${sealed.previousSecret}
    where id = ${row.id} and secret = ${row.secret} and previous_secret is not distinct from ${row.previousSecret}`;
}
