import type { JSONValue, Queryable, Tx } from '../db/database.ts';
import { traceHeaders } from '../tracing.ts';
import { type AccountStream, type endedStreamOf, MARKET } from './streams.ts';

export type NewRow = {
  id: string;
  stream: AccountStream | ReturnType<typeof endedStreamOf> | (typeof MARKET)[keyof typeof MARKET];
  type: string;
  data: object;
  occurredAt: Date;
  /** Null: the row is numbered at once. */
  visibleAt: Date | null;
};

// A row has seven values, and a statement takes at most 65,534.
const ROWS_AT_ONCE = 1_000;

/** Inserts rows without numbers. With `once`, skips an id that its stream has already. */
export async function insertEvents(tx: Tx, rows: readonly NewRow[], { once = false } = {}): Promise<void> {
  const { traceparent: trace = null } = traceHeaders();
  const values = rows.map((row) => ({ ...row, data: tx.json(row.data as JSONValue), trace }));
  for (let from = 0; from < values.length; from += ROWS_AT_ONCE)
    await tx`
      insert into events ${tx(values.slice(from, from + ROWS_AT_ONCE), 'id', 'stream', 'type', 'data', 'occurredAt', 'visibleAt', 'trace')}
      ${once ? tx`on conflict do nothing` : tx``}`;
}

/**
 * Returns the name of the newest alert about a subject. Walks events_waiting and the end of events_stream: the operator's
 * stream has few events.
 */
export async function newestAlertAbout(tx: Tx, subject: string): Promise<string | null> {
  const about = tx`stream = 'operator' and data ->> 'subject' = ${subject}`;
  const [newest] = await tx<{ alert: string }[]>`
    select alert from (
      (select data ->> 'alert' as alert, written from events where seq is null and ${about} order by written desc limit 1)
      union all
      (select data ->> 'alert', written from events where seq is not null and ${about} order by seq desc limit 1)
    ) newest order by written desc limit 1`;
  return newest?.alert ?? null;
}

/** Takes events back whose rows have no number yet. */
export async function withdrawEvents(tx: Tx, ids: string[]): Promise<void> {
  await tx`delete from events where id = any(${ids}) and seq is null`;
}

/** Replaces the data of a project's first event for agents below elite, until its row has a number. */
export async function correctOpening(tx: Tx, data: { project: { id: string } }): Promise<void> {
  await tx`
    update events set data = ${tx.json(data)}
    where seq is null and stream = ${MARKET.others} and type = 'PROJECT.OPEN' and data -> 'project' ->> 'id' = ${data.project.id}`;
}

/** Returns whether a committed row waits for its number. Index events_waiting. */
export async function isRowWaiting(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db`
    select from events where seq is null and (visible_at is null or visible_at <= ${now}) limit 1`;
  return rows.length > 0;
}

/** Locks the head of the log and returns the highest number; null while another sequencer holds it. */
export async function lockHead(tx: Tx): Promise<number | null> {
  const [head] = await tx<{ last: number }[]>`select last from event_head for update skip locked`;
  return head?.last ?? null;
}

/**
 * Numbers up to `limit` rows in the order of their writes, and returns how many. A number is at least the time in
 * milliseconds: after a restored database has lost events, no cursor of before points behind new ones. The caller has
 * locked the head in an earlier statement, so this one sees every row of the sequencer before.
 */
export async function numberRows(
  tx: Tx,
  { last, now, limit }: { last: number; now: Date; limit: number },
): Promise<number> {
  const [numbered] = await tx<[{ count: number }]>`
    with ready as (
      select written, row_number() over (order by written) as place from (
        select written from events where seq is null and (visible_at is null or visible_at <= ${now})
        order by written limit ${limit}) waiting
    ), numbered as (
      update events set seq = greatest(${last}::bigint, ${now.getTime()}::bigint) + ready.place from ready
      where events.written = ready.written and events.seq is null
      returning events.seq
    ), moved as (
      update event_head set last = coalesce((select max(seq) from numbered), last)
    )
    select count(*) from numbered`;
  return numbered.count;
}

/** Removes up to `limit` rows older than `before`, the oldest first, and returns how many. */
export async function removeRows(tx: Tx, before: Date, limit: number): Promise<number> {
  const [gone] = await tx<[{ count: number }]>`
    with old as (
      select seq from (select seq, occurred_at from events where seq is not null order by seq limit ${limit}) first
      where occurred_at < ${before}
    ), gone as (
      delete from events where seq in (select seq from old) returning seq
    ), moved as (
      update event_head set removed = coalesce((select max(seq) from gone), removed)
    )
    select count(*) from gone`;
  return gone.count;
}

export type Head = { last: number; removed: number };

/** Returns the highest number, and the highest number that was removed. */
export async function findHead(db: Queryable): Promise<Head> {
  const [head] = await db<[Head]>`select last, removed from event_head`;
  return head;
}

/** Returns the rows of an event in these streams. */
export async function findRowsOf(
  db: Queryable,
  id: string,
  streams: string[],
): Promise<{ stream: string; seq: number }[]> {
  return await db<{ stream: string; seq: number }[]>`
    select stream, seq from events where id = ${id} and stream = any(${streams}) and seq is not null order by seq`;
}

/** The event that made an agent elite. `seq` is null while it is not numbered. */
export type EliteSince = { seq: number | null; at: Date };

/** Finds the event that made an agent elite, if the log still has it. Index events_tier. */
export async function findEliteSince(db: Queryable, stream: AccountStream): Promise<EliteSince | null> {
  const [row] = await db<EliteSince[]>`
    select seq, occurred_at as at from events
    where stream = ${stream} and type = 'TIER.CHANGED' and data ->> 'tier' = 'elite' limit 1`;
  return row ?? null;
}

/** Returns the highest number of the market's rows for agents below elite that became visible until `until`. */
export async function lastForOthers(
  db: Queryable,
  { after, until }: { after: number; until: Date },
): Promise<number | null> {
  const [next] = await db<{ seq: number }[]>`
    select seq from events where stream = ${MARKET.others} and seq > ${after} and visible_at > ${until}
    order by seq limit 1`;
  return next ? next.seq - 1 : null;
}

/** The part of a stream that a reader gets: the rows after `low`, up to `high`. */
export type Part = {
  stream: string;
  low: number;
  /** Null: no end. */
  high: number | null;
  /** Only rows whose row for elite agents has at most this number. Null: all rows. */
  eliteUpTo: number | null;
};

/** One row of the log. `data` is JSON text. */
export type EventRow = { seq: number; id: string; type: string; occurredAt: Date; data: string };

type PageRow = Head & { scanned: number; scannedTo: number | null } & (EventRow | { [K in keyof EventRow]: null });
type PageQuery = { types: string[] | null; limit: number; scan: number };

/**
 * Reads the first `scan` rows of the parts together, and returns up to `limit` of those that have one of the types. The
 * head is of the same snapshot. Walks events_stream once for each part.
 */
export async function readPage(
  db: Queryable,
  parts: Part[],
  { types, limit, scan }: PageQuery,
): Promise<{ head: Head; rows: EventRow[]; scanned: number; scannedTo: number | null }> {
  const column = <K extends keyof Part>(key: K): Part[K][] => parts.map((part) => part[key]);
  const found = await db<PageRow[]>`
    with scanned as materialized (
      select row.* from unnest(${column('stream')}::text[], ${column('low')}::bigint[], ${column('high')}::bigint[],
        ${column('eliteUpTo')}::bigint[]) as part (stream, low, high, elite_up_to)
      cross join lateral (
        select seq, id, type, occurred_at, data from events
        where events.stream = part.stream and seq > part.low and (part.high is null or seq <= part.high)
          and (part.elite_up_to is null or exists (
            select from events elite
            where elite.id = events.id and elite.stream = ${MARKET.elite} and elite.seq <= part.elite_up_to))
        order by seq limit ${scan}) row
      order by seq limit ${scan}
    )
    select head.last, head.removed, (select count(*) from scanned) as scanned,
      (select max(seq) from scanned) as "scannedTo",
      page.seq, page.id, page.type, page.occurred_at as "occurredAt", page.data::text as data
    from event_head head left join lateral (
      select * from scanned where ${types}::text[] is null or type = any(${types}::text[]) order by seq limit ${limit}
    ) page on true
    order by page.seq`;
  const [first] = found;
  if (!first) throw new Error('the head of the event log is missing');
  const { last, removed, scanned, scannedTo } = first;
  const rows = found.flatMap(({ seq, id, type, occurredAt, data }) =>
    seq === null || id === null ? [] : [{ seq, id, type, occurredAt, data }],
  );
  return { head: { last, removed }, rows, scanned, scannedTo };
}

/** A row as the tick of a process reads it, for all listeners together. */
export type StreamRow = EventRow & {
  stream: string;
  /** The number of the row for elite agents; null outside of early access. */
  eliteSeq: number | null;
};

/** Returns up to `limit` rows after a number, of all streams. Index events_seq. */
export async function rowsAfter(db: Queryable, after: number, limit: number): Promise<StreamRow[]> {
  return await db<StreamRow[]>`
    select seq, id, stream, type, occurred_at as "occurredAt", data::text as data,
      case when stream = ${MARKET.others} then (
        select elite.seq from events elite where elite.id = events.id and elite.stream = ${MARKET.elite}
      ) end as "eliteSeq"
    from events where seq > ${after} order by seq limit ${limit}`;
}

/** An event of the log, by its id and stream. `data` is JSON text. `trace`: the `traceparent` of what caused it. */
export type LoggedEvent = Omit<EventRow, 'seq'> & { trace?: string | null };

/** Returns those of the events that the log still has. */
export async function findEvents(
  db: Queryable,
  wanted: readonly { id: string; stream: string }[],
): Promise<LoggedEvent[]> {
  if (wanted.length === 0) return [];
  return await db<LoggedEvent[]>`
    select id, type, occurred_at as "occurredAt", data::text as data, trace from events
    where (id, stream) in (
      select * from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ stream }) => stream)}::text[]))`;
}

/** Returns how far a consumer has come. */
export async function findPosition(db: Queryable, consumer: string): Promise<number | null> {
  const [row] = await db<{ position: number }[]>`select position from event_consumers where name = ${consumer}`;
  return row?.position ?? null;
}

/** Locks a consumer's position; null while another process holds it. */
export async function lockPosition(tx: Tx, consumer: string): Promise<number | null> {
  const [row] = await tx<{ position: number }[]>`
    select position from event_consumers where name = ${consumer} for update skip locked`;
  return row?.position ?? null;
}

export async function movePosition(tx: Tx, consumer: string, position: number): Promise<void> {
  await tx`update event_consumers set position = ${position} where name = ${consumer}`;
}
