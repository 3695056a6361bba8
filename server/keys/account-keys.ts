import { type AnyScope, covers } from '../../contract/basics/scope.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import { withTransaction } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import { type NewEvent, recordEvents } from '../events/public.ts';
import { runIdempotent } from '../idempotency/public.ts';
import type { AccountCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';
import { issueKey, keyPrefix, parseKey, sameHash } from './format.ts';
import {
  type Account,
  countKeys,
  endKey,
  findKeys,
  hasKey,
  insertKey,
  type KeyLabel,
  type KeyRow,
  type ListedKey,
  listKeysOf,
} from './key-queries.ts';
import { deleteSessions } from './session-queries.ts';

const MAX_KEYS = 20;
const REVOKED_KEYS_SHOWN = 20;

/** Issues a key and stores it. Returns the text, which is shown once, and the key's id. */
export async function addKey(
  { randomBytes, network, clock }: Pick<Deps, 'randomBytes' | 'network' | 'clock'>,
  tx: Tx,
  account: Account,
  label: KeyLabel,
): Promise<{ apiKey: string; keyId: string }> {
  const { key, id, secretHash } = issueKey(keyPrefix(account.kind, network.testnet), randomBytes);
  await insertKey(tx, account, { ...label, id, secretHash, now: clock.now() });
  return { apiKey: key, keyId: id };
}

type Labeled<Scope> = { name: string; scope: Scope };

/** Creates a further key. Only a caller with every right gets here, so no key creates one that may do more. */
export async function createKey<Scope extends AnyScope>(
  ctx: Context<AccountCaller>,
  { body: { name, scope } }: { body: Labeled<Scope> },
): Promise<Labeled<Scope> & { message: string; keyId: string; apiKey: string }> {
  const account = accountOf(ctx.caller);
  return await runIdempotent(ctx, async (tx) => {
    // Further keys of one account are created one after the other.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`keys:${account.id}`}, 0))`;
    const { apiKey, keyId } = await addKey(ctx, tx, account, { name, scope });
    await requireKeyRoom(tx, account);
    await recordEvents(ctx, tx, ctx.clock.now(), [keyEvent(account, 'KEY.CREATED', { id: keyId, name, scope })]);
    const message = 'Key created. Store the API key now: it is shown only once.';
    return { message, keyId, apiKey, name, scope };
  });
}

function accountOf(caller: AccountCaller): Account {
  return { kind: caller.kind, id: caller.kind === 'agent' ? caller.agentId : caller.posterId };
}

/**
 * Checks the number of keys that work, a new one included.
 *
 * @throws DomainError KEY_LIMIT_REACHED
 */
async function requireKeyRoom(tx: Tx, account: Account): Promise<void> {
  if ((await countKeys(tx, account)) <= MAX_KEYS) return;
  const who = account.kind === 'agent' ? 'An agent' : 'A poster';
  throw new DomainError(
    'KEY_LIMIT_REACHED',
    `${who} has at most ${MAX_KEYS} valid keys. Revoke one that is no longer used.`,
  );
}

type ShownKey<Scope> = Omit<ListedKey, 'scope'> & { scope: Scope; current: boolean };

/** Lists an account's own keys, newest first: those that work, and the 20 that were revoked last. */
export async function listKeys<Scope extends AnyScope>({
  db,
  clock,
  caller,
}: Context<AccountCaller>): Promise<{ keys: ShownKey<Scope>[] }> {
  const now = clock.now();
  const keys = await listKeysOf(db, accountOf(caller), REVOKED_KEYS_SHOWN);
  // This request counts as a use. The table stores it at most once a minute.
  const shown = keys.map((key) =>
    key.id === caller.keyId ? { ...key, lastUsedAt: now, current: true } : { ...key, current: false },
  );
  return { keys: shown as ShownKey<Scope>[] };
}

/**
 * Revokes one of the account's own keys immediately, and ends the sessions that it started. Revoking a key twice succeeds.
 * Another account's key gives the same NOT_FOUND as a key that does not exist.
 */
export async function revokeKey(
  ctx: Context<AccountCaller>,
  { params: { key_id: id } }: { params: { key_id: string } },
) {
  const account = accountOf(ctx.caller);
  const sessions = await withTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const ended = await endKey(tx, account, id, now);
    if (ended) await recordEvents(ctx, tx, now, [keyEvent(account, 'KEY.REVOKED', { id, ...ended })]);
    else if (!(await hasKey(tx, account, id))) throw new DomainError('NOT_FOUND', 'No such key.');
    return await deleteSessions(tx, { kind: account.kind, accountId: account.id }, { ofKey: id, now });
  });
  for (const each of [id, ...sessions]) ctx.knownKeys.forget(each);
  return { message: 'Key revoked.', keyId: id };
}

/** Returns the valid key of this text. @throws DomainError INVALID_API_KEY */
export async function requireKey(
  { db, network }: Pick<Deps, 'db' | 'network'>,
  kind: Account['kind'],
  text: string,
): Promise<KeyRow> {
  const key = parseKey(text);
  const isOfKind = key?.prefix === keyPrefix(kind, network.testnet);
  const [stored] = isOfKind ? await findKeys(db, kind, [key.id]) : [];
  if (!key || !stored || !sameHash(stored.secretHash, key.secretHash))
    throw new DomainError('INVALID_API_KEY', (key && whyNot(key.prefix, kind)) ?? 'Invalid API key');
  return stored;
}

/** Says whose key it is, if it is one of the other kind of account. */
function whyNot(prefix: string, kind: Account['kind']): string | null {
  const other = kind === 'agent' ? 'poster' : 'agent';
  const isOther = [true, false].some((testnet) => prefix === keyPrefix(other, testnet));
  return isOther ? `Invalid API key: this is the key of ${other === 'agent' ? 'an agent' : 'a poster'}.` : null;
}

/** The scope is one of the account's kind, as the contract of its events says. */
function keyEvent(
  account: Account,
  type: 'KEY.CREATED' | 'KEY.REVOKED',
  { id, name, scope }: KeyLabel & { id: string },
): NewEvent {
  return { [account.kind]: account.id, type, data: { key_id: id, name, scope } } as unknown as NewEvent;
}

/** @throws DomainError KEY_SCOPE if the caller may not do what needs this scope */
export function requireScope({ kind, scope }: { kind: string; scope: AnyScope }, needed: AnyScope): void {
  if (covers(scope, needed)) return;
  throw new DomainError(
    'KEY_SCOPE',
    kind === 'operator'
      ? `This request changes something, and you may only read. Ask for the right \`${needed}\` at your identity provider.`
      : `This request needs a key of scope ${needed}. This key has the scope ${scope}.`,
  );
}
