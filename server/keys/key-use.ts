import type { Db } from '../db/database.ts';
import { createKept } from '../kept.ts';

const uses = createKept<unknown>({ lifeMs: 60_000, most: 20_000 });

/**
 * Runs `write`, which stores when something was last used, at most once a minute for each id. Nobody waits for it, and a
 * failure is forgotten: the time is only shown to people.
 */
export function recordUse(db: Db, id: string, now: Date, write: () => Promise<unknown>): void {
  uses.get(db, { key: id, now }, write).catch(() => {});
}

/** Returns a statement, or a part of one: a request used this key now. Skips a row that a transaction holds. */
export const keyUse = (db: Db, keyId: string | null, now: Date) => db`
  update api_keys set last_used_at = ${now} where id = (
    select id from api_keys where id = ${keyId} and (last_used_at is null or last_used_at < ${now})
    for no key update skip locked)`;

/** Records that a request used a key, or a session that it started. */
export function recordKeyUse(db: Db, keyId: string, now: Date): void {
  recordUse(db, keyId, now, async () => await keyUse(db, keyId, now));
}
