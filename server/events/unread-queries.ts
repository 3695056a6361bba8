import type { Queryable } from '../ports/database.ts';
import type { AccountStream } from './streams.ts';

/** Counts up to 100 numbered rows of a stream after a number. Walks the index events_stream. */
export async function countUnread(db: Queryable, stream: AccountStream, after: number): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) as count from (
      select from events where stream = ${stream} and seq > ${after} order by seq limit 100
    ) unread`;
  return row.count;
}

/** Returns the number up to which an account has seen its events; null before the first mark. */
export async function findSeen(db: Queryable, stream: AccountStream): Promise<number | null> {
  const [row] = await db<{ seq: number }[]>`select seq from events_seen where stream = ${stream}`;
  return row?.seq ?? null;
}

/** Moves the mark of an account forward. */
export async function saveSeen(
  db: Queryable,
  stream: AccountStream,
  { seq, at }: { seq: number; at: Date },
): Promise<void> {
  await db`
    insert into events_seen (stream, seq, seen_at) values (${stream}, ${seq}, ${at})
    on conflict (stream) do update set seq = excluded.seq, seen_at = excluded.seen_at
    where events_seen.seq < excluded.seq`;
}
