import { withTransaction } from '../db/public.ts';
import type { AccountCaller } from '../callers.ts';
import type { Context, Deps } from '../deps.ts';
import { recordEnds } from '../events/public.ts';
import type { Tx } from '../db/database.ts';
import type { SessionKind, StartedSession } from '../serve.ts';
import { issueKey, keyPrefix, type KeyPrefix } from './format.ts';
import { createKeyCache, type KeyCache, type OnUse, type StoredKey } from './key-cache.ts';
import {
  deleteSessions,
  extendSession,
  findSession,
  type Holder,
  insertSession,
  type SessionRow,
} from './session-queries.ts';

const HOUR_MS = 3_600_000;
const IDLE_MS = 24 * HOUR_MS;
const LIFETIME_MS = 7 * 24 * HOUR_MS;

// The shortest time between two writes of an active session. A session can therefore end up to 10 minutes early.
const MIN_EXTENSION_MS = 600_000;

/** Returns when the session ends if it is not used after `now`. */
function sessionEnd({ createdAt, now }: { createdAt: Date; now: Date }): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + LIFETIME_MS));
}

// Enough for all browsers of a person. A client that starts more sessions is probably a loop. The oldest ends first.
const MAX_SESSIONS = 20;

const PREFIXES = { agent: 'agentSession', poster: 'session', operator: 'operatorSession' } as const;

/** Returns the start of the tokens of a kind of session. */
export function sessionPrefix(kind: SessionKind, testnet: boolean): KeyPrefix {
  return keyPrefix(PREFIXES[kind], testnet);
}

type Started = Holder & { keyId?: string | null; wallet?: string | null };

/** Starts a session that each use extends. Returns the row, and the token for the cookie. */
export async function startSession(
  { randomBytes, network, clock }: Pick<Deps, 'randomBytes' | 'network' | 'clock'>,
  tx: Tx,
  { kind, accountId, keyId = null, wallet = null }: Started,
): Promise<{ session: SessionRow; started: StartedSession }> {
  const now = clock.now();
  const { key, id, secretHash } = issueKey(sessionPrefix(kind, network.testnet), randomBytes);
  const expiresAt = sessionEnd({ createdAt: now, now });
  const session = { id, kind, accountId, keyId, wallet, createdAt: now, expiresAt };
  await insertSession(tx, { ...session, secretHash, operator: null }, MAX_SESSIONS);
  return { session, started: { kind, token: key, maxAgeSeconds: LIFETIME_MS / 1000 } };
}

/** Ends sessions of a holder, with their streams. Other processes reject them within a second. Returns how many ended. */
export async function endSessions(
  ctx: Pick<Deps, 'db' | 'clock' | 'newId' | 'knownKeys'>,
  holder: Holder,
  which: { only?: string | null; ofKey?: string | null } = {},
): Promise<number> {
  const now = ctx.clock.now();
  const { kind, accountId } = holder;
  const account = kind === 'operator' ? kind : (`${kind}:${accountId}` as const);
  const ended = await withTransaction(ctx.db, async (tx) => {
    const ids = await deleteSessions(tx, holder, { ...which, now });
    await recordEnds(ctx, tx, now, { account, ids });
    return ids;
  });
  for (const id of ended) ctx.knownKeys.forget(id);
  return ended.length;
}

/**
 * Ends the session of the request of a poster or of the owner of an agent. With `everywhere`, or with a key, it ends every
 * session of the account. A caller with a lesser scope ends only the sessions of its own key, so that no such key signs the
 * owner out.
 */
export async function endAccountSession(
  ctx: Context<AccountCaller>,
  { query: { everywhere } }: { query: { everywhere: boolean } },
): Promise<{ message: string; ended: number }> {
  const { caller } = ctx;
  const { kind, sessionId, keyId, scope } = caller;
  const holder = { kind, accountId: kind === 'agent' ? caller.agentId : caller.posterId };
  const ended = await endSessions(ctx, holder, {
    only: everywhere ? null : (sessionId ?? null),
    ofKey: scope === 'owner' || scope === 'full' ? null : keyId,
  });
  return { message: 'Signed out.', ended };
}

/**
 * Creates the cache of session tokens of one kind, as keys are cached. `callerOf` returns the caller; null once the key,
 * wallet, or setting that started the session has ended. Each use extends a session, except one of an operator: a page that
 * refreshes itself must not keep it alive.
 */
export function createSessionCache<C extends { endsAt?: Date }>(
  { db, clock, network }: Pick<Deps, 'db' | 'clock' | 'network'>,
  { kind, onUse }: { kind: SessionKind; onUse?: OnUse<C> },
  callerOf: (session: SessionRow) => Promise<C | null>,
): KeyCache<C> {
  async function read(id: string): Promise<StoredKey<C> | null> {
    const session = await findSession(db, kind, id);
    const caller = session && (await callerOf(session));
    if (!caller) return null;
    const { secretHash, expiresAt, createdAt } = session;
    const stored = { secretHash, expiresAt, caller: { ...caller, sessionId: id } };
    const now = clock.now();
    const next = sessionEnd({ createdAt, now });
    const gainedMs = next.getTime() - expiresAt.getTime();
    // Extending before the secret is compared is safe: the id is random too, and only the client knows it.
    if (kind === 'operator' || expiresAt <= now || gainedMs < MIN_EXTENSION_MS) return stored;
    await extendSession(db, { id, now, expiresAt: next });
    return { ...stored, expiresAt: next };
  }
  return createKeyCache<C>({ clock, prefix: sessionPrefix(kind, network.testnet), onUse }, read);
}
