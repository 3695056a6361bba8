import { FIRST_ATTEMPT } from '../delivery/public.ts';
import type { TestedEndpoint } from '../endpoints/public.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

/** The account that endpoints belong to. */
export type EndpointAccount = { kind: 'agent' | 'poster'; id: string };

export type EndpointRow = {
  id: string;
  url: string;
  types: string[];
  status: 'active' | 'disabled';
  disabledReason: string | null;
  failingSince: Date | null;
  verifiedAt: Date | null;
  previousUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = (db: Queryable) => db`
  id, url, types, status, disabled_reason as "disabledReason", failing_since as "failingSince",
  verified_at as "verifiedAt", previous_until as "previousUntil", created_at as "createdAt", updated_at as "updatedAt"`;

const ofAccount = (db: Queryable, { kind, id }: EndpointAccount) => db`account_kind = ${kind} and account_id = ${id}`;

// Two requests of an account would both find room for the last endpoint, so each takes this advisory lock.
const ACCOUNT_LOCK = 7_266_441;

/** Counts an account's endpoints. Until the transaction ends, other requests that count them wait. */
export async function countEndpoints(tx: Tx, account: EndpointAccount): Promise<number> {
  await tx`select pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext(${account.id}))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from webhooks where ${ofAccount(tx, account)}`;
  return row.count;
}

/** Index webhooks_of_account. */
export async function listEndpointRows(db: Queryable, account: EndpointAccount): Promise<EndpointRow[]> {
  return await db<EndpointRow[]>`select ${columns(db)} from webhooks where ${ofAccount(db, account)} order by id`;
}

export async function findEndpoint(db: Queryable, account: EndpointAccount, id: string): Promise<EndpointRow | null> {
  const [row] = await db<EndpointRow[]>`
    select ${columns(db)} from webhooks where id = ${id} and ${ofAccount(db, account)}`;
  return row ?? null;
}

/** Locks the row as the sender's health does: webhooks before their retries. */
export async function lockEndpoint(tx: Tx, account: EndpointAccount, id: string): Promise<EndpointRow | null> {
  const [row] = await tx<EndpointRow[]>`
    select ${columns(tx)} from webhooks where id = ${id} and ${ofAccount(tx, account)} for no key update`;
  return row ?? null;
}

/** Returns where a test is sent, and the secrets that sign it. */
export async function findSecrets(db: Queryable, account: EndpointAccount, id: string): Promise<TestedEndpoint | null> {
  const [row] = await db<TestedEndpoint[]>`
    select id, url, secret, previous_secret as "previousSecret", previous_until as "previousUntil",
      verified_at is not null as verified
    from webhooks where id = ${id} and ${ofAccount(db, account)}`;
  return row ?? null;
}

export type NewEndpoint = {
  id: string;
  account: EndpointAccount;
  url: string;
  host: string;
  secret: Buffer;
  types: string[];
  elite: boolean;
  now: Date;
};

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<EndpointRow> {
  const { id, account, url, host, secret, types, elite, now } = endpoint;
  const [row] = await tx<[EndpointRow]>`
    insert into webhooks (id, account_kind, account_id, url, host, secret, types, elite, created_at, updated_at)
    values (${id}, ${account.kind}, ${account.id}, ${url}, ${host}, ${secret}, ${types}, ${elite}, ${now}, ${now})
    returning ${columns(tx)}`;
  return row;
}

/** Sends to a URL from now on. A different one has yet to accept an event. The health of the old one is forgotten. */
export async function updateUrl(
  tx: Tx,
  id: string,
  { url, host, verifiedAt, now }: { url: string; host: string; verifiedAt: Date | null; now: Date },
): Promise<void> {
  await tx`
    update webhooks set url = ${url}, host = ${host}, verified_at = ${verifiedAt}, trial_at = ${now}, status = 'active',
      disabled_reason = null, failing_since = null, slow = false where id = ${id}`;
}

/** Undefined keeps the types. */
export async function updateTypes(
  tx: Tx,
  id: string,
  { types, now }: { types: string[] | undefined; now: Date },
): Promise<EndpointRow> {
  const [row] = await tx<[EndpointRow]>`
    update webhooks set types = coalesce(${types ?? null}::text[], types), updated_at = ${now} where id = ${id}
    returning ${columns(tx)}`;
  return row;
}

export async function updateSecret(
  tx: Tx,
  id: string,
  { secret, previousUntil, now }: { secret: Buffer; previousUntil: Date; now: Date },
): Promise<EndpointRow> {
  const [row] = await tx<[EndpointRow]>`
    update webhooks set previous_secret = secret, previous_until = ${previousUntil}, secret = ${secret},
      updated_at = ${now} where id = ${id} returning ${columns(tx)}`;
  return row;
}

export async function deleteEndpointRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from webhooks where id = ${id}`;
}

/** The endpoints that get a row of the log: those of one account, of elite agents, or of all agents. */
export type EventAudience = { account: EndpointAccount } | { market: 'elite' | 'all' };

/**
 * Queues an event for every endpoint of its audience that wants its type, once for each endpoint. Returns how many. An
 * endpoint that never succeeded gets it later. Indexes webhooks_of_account and webhook_retries_webhook.
 */
export async function queueEvent(
  tx: Tx,
  { id, stream, type, audience, now }: { id: string; stream: string; type: string; audience: EventAudience; now: Date },
): Promise<number> {
  const inAudience =
    'account' in audience
      ? ofAccount(tx, audience.account)
      : tx`account_kind = 'agent' and ${audience.market === 'all' ? tx`true` : tx`elite`}`;
  // An agent that became elite during early access got the event already.
  const [row] = await tx<[{ count: number }]>`
    with wanted as (
      select w.id, w.slow, w.verified_at from webhooks w
      where ${inAudience} and w.status = 'active' and ${type} = any(w.types)
        and not exists (select 1 from webhook_retries r where r.webhook_id = w.id and r.event_id = ${id})
    ), queued as (
      insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, due_at, stream)
      select ${id}, wanted.id, (${now}::timestamptz at time zone 'UTC')::date, ${FIRST_ATTEMPT},
        case when wanted.slow then 'slow' else 'retry' end, ${'account' in audience ? 0 : 2},
        case when wanted.verified_at is not null then ${now}::timestamptz end, ${stream}
      from wanted returning webhook_id, due_at
    ), looked as (
      update webhooks set trial_at = ${now}
      where id in (select webhook_id from queued where due_at is null) and trial_at is null
    )
    select count(*)::integer as count from queued`;
  return row.count;
}
