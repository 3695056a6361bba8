import { marketEventTypes } from '../../contract/events/events.ts';
import type { Deps } from '../deps.ts';
import { type After, encodeSeq } from './cursor.ts';
import { type EliteFrom, marketParts, readClass, takesRow } from './market-class.ts';
import { type EventRow, findHead, findRowsOf, type Part, readPage } from './queries.ts';
import { accountStreamOf, type EventReader, MARKET } from './streams.ts';
import type { Queryable } from '../db/database.ts';

/** With `types`, a page reads at most this many rows, and may end without having found one. */
const SCANNED_ROWS = 1_000;

export type EventQuery = {
  reader: EventReader;
  after: After;
  /** Null: all types. */
  types: readonly string[] | null;
  limit: number;
};

export type EventPage = {
  events: EventRow[];
  /** The number up to which the reader has seen everything. */
  seq: number;
  /** `seq` as text for clients. */
  cursor: string;
  hasMore: boolean;
  truncated: boolean;
  /** The class of an agent at `seq`. */
  eliteFrom: EliteFrom;
};

/**
 * Reads what a reader gets after a position, oldest first: its own stream, and for an agent the market's. A reader that
 * continues at the cursor of each page gets each event once.
 */
export async function eventsAfter(
  { reads, config }: Pick<Deps, 'reads' | 'config'>,
  { reader, after, types, limit }: EventQuery,
): Promise<EventPage> {
  const ofReader = await readClass(reads, reader);
  const from = await positionOf(reads, { reader, after, eliteFrom: ofReader.eliteFrom });
  const pageOf = (page: Omit<EventPage, 'cursor' | 'eliteFrom'>): EventPage => ({
    ...page,
    cursor: encodeSeq(page.seq),
    eliteFrom: ofReader.eliteFrom,
  });
  if (after === 'now') return pageOf({ events: [], seq: from.seq, hasMore: false, truncated: false });
  const read = async (seq: number) => {
    const own: Part = { stream: accountStreamOf(reader), low: seq, high: null, eliteUpTo: null };
    const market = takesMarket(reader, types)
      ? await marketParts(reads, ofReader, seq, config.earlyAccessSeconds * 1000)
      : [];
    // A page without a filter needs one row more, which shows that there is more.
    const scan = types === null ? limit + 1 : SCANNED_ROWS;
    return { scan, ...(await readPage(reads, [own, ...market], { types: listOf(types), limit: limit + 1, scan })) };
  };
  let found = await read(from.seq);
  let truncated = from.isUnknown || (after !== 'oldest' && from.seq < found.head.removed);
  if (from.seq > found.head.last) {
    // The cursor is of a later time than this database, which was restored: start again.
    found = await read(0);
    truncated = true;
  }
  const { head, rows, scanned, scannedTo, scan } = found;
  const events = rows.slice(0, limit);
  if (rows.length > limit) return pageOf({ events, seq: events.at(-1)?.seq ?? from.seq, hasMore: true, truncated });
  if (scanned === scan && scannedTo !== null) return pageOf({ events, seq: scannedTo, hasMore: true, truncated });
  return pageOf({ events, seq: head.last, hasMore: false, truncated });
}

const listOf = (types: readonly string[] | null) => (types === null ? null : [...types]);

const ofMarket: ReadonlySet<string> = new Set(marketEventTypes);

/** Returns whether the reader asks for events of the market. */
export function takesMarket({ kind }: EventReader, types: readonly string[] | null): boolean {
  return kind === 'agent' && (types === null || types.some((type) => ofMarket.has(type)));
}

type Position = { seq: number; isUnknown: boolean };

async function positionOf(
  db: Queryable,
  { reader, after, eliteFrom }: { reader: EventReader; after: After; eliteFrom: EliteFrom },
): Promise<Position> {
  if (after === 'oldest') return { seq: 0, isUnknown: false };
  if (after === 'now') return { seq: (await findHead(db)).last, isUnknown: false };
  if ('seq' in after) return { seq: after.seq, isUnknown: false };
  const streams = [accountStreamOf(reader), ...(reader.kind === 'agent' ? Object.values(MARKET) : [])];
  const rows = await findRowsOf(db, after.id, streams);
  const eliteSeq = rows.find(({ stream }) => stream === MARKET.elite)?.seq ?? null;
  const row = rows.find(({ stream, seq }) => takesRow(eliteFrom, { stream, seq, eliteSeq }));
  // Removed because of its age, or no event of this reader: nothing tells how much is missing.
  return row ? { seq: row.seq, isUnknown: false } : { seq: 0, isUnknown: true };
}
