import { DomainError } from '../../contract/basics/errors.ts';
import type { AgentCaller, PosterCaller } from '../callers.ts';
import type { Queryable, Tx } from '../db/database.ts';

export type Account = { kind: 'agent' | 'poster'; id: string };

/** The callers that have endpoints. */
export type EndpointCaller = AgentCaller | PosterCaller;

export const accountOf = (caller: EndpointCaller): Account =>
  caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };

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
  /** The first success at this URL. */
  verifiedAt: Date | null;
  /** The last attempt timed out. */
  slow: boolean;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns of an endpoint `e`. */
export const endpointColumns = (db: Queryable) => db`
  e.id, e.account_kind as kind, e.account_id as "accountId", e.specified, e.url, e.types, e.status,
  e.disabled_reason as "disabledReason", e.failing_since as "failingSince", e.verified_at as "verifiedAt", e.slow, e.secret,
  e.previous_secret as "previousSecret", e.previous_until as "previousUntil", e.created_at as "createdAt",
  e.updated_at as "updatedAt"`;

/** Returns the host name of a valid URL. The URL parser writes each host in one way, but for the dot at its end. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.+$/, '');

/** Names an endpoint by its id, or the specified one of an agent. An endpoint of another account is not found. */
type EndpointName = { id: string; account?: Account } | { account: Account; specified: true };

export async function findEndpoint(db: Queryable, name: EndpointName, locked = db``): Promise<EndpointRow | null> {
  const { account } = name;
  const [row] = await db<EndpointRow[]>`
    select ${endpointColumns(db)} from webhook_endpoints e where ${'id' in name ? db`id = ${name.id}` : db`specified`}
      ${account ? db`and account_kind = ${account.kind} and account_id = ${account.id}` : db``} ${locked}`;
  return row ?? null;
}

/** Lock endpoints before their deliveries, as the sender does. */
export async function lockEndpoint(tx: Tx, name: EndpointName): Promise<EndpointRow | null> {
  return await findEndpoint(tx, name, tx`for no key update`);
}

/**
 * Returns an endpoint of the caller. `find` can lock it.
 *
 * @throws DomainError NOT_FOUND, also for an endpoint of another account
 */
export async function ownEndpoint<Q extends Queryable>(
  caller: EndpointCaller,
  id: string,
  db: Q,
  find: (db: Q, name: EndpointName) => Promise<EndpointRow | null> = findEndpoint,
): Promise<EndpointRow> {
  const endpoint = await find(db, { account: accountOf(caller), id });
  if (!endpoint) throw new DomainError('NOT_FOUND', 'No such webhook endpoint.');
  return endpoint;
}

/** Lists the endpoints of an account, oldest first. Index webhook_endpoints_account. */
export async function listEndpointRows(db: Queryable, { kind, id }: Account): Promise<EndpointRow[]> {
  return await db<EndpointRow[]>`
    select ${endpointColumns(db)} from webhook_endpoints e
    where account_kind = ${kind} and account_id = ${id} order by id`;
}

/** Lets the changes of an account that add endpoints come one after the other. */
export async function lockAccount(tx: Tx, { kind, id }: Account): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${kind} ${id}`}, 0))`;
}

/** Writes an endpoint that is new, or that this transaction has locked. */
export async function saveEndpoint(tx: Tx, row: EndpointRow): Promise<EndpointRow> {
  const { id, kind: accountKind, accountId, specified, createdAt, ...rest } = row;
  const changing = { ...rest, host: hostOf(row.url) };
  await tx`
    insert into webhook_endpoints ${tx({ id, accountKind, accountId, specified, createdAt, ...changing })}
    on conflict (id) do update set ${tx.set(changing)}`;
  return row;
}
