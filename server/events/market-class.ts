import { type EliteSince, findEliteSince, lastForOthers, type Part } from './queries.ts';
import { accountStreamOf, type EventReader, MARKET } from './streams.ts';
import type { Queryable } from '../db/database.ts';

/** Early access lasts at most this long, or as long as its setting. */
const LONGEST_EARLY_ACCESS_MS = 3_600_000;

/**
 * The number from which on an agent gets the market's rows for elite agents: that of the event that made the agent elite.
 * An event belongs to that time by its row for elite agents. So each agent gets each event of the market once, and every
 * way to receive events gives the same sequence. 0: always. Null: never so far.
 */
export type EliteFrom = number | null;

/** Returns whether an agent gets this row of the market. */
export function takesRow(
  eliteFrom: EliteFrom,
  { stream, seq, eliteSeq }: { stream: string; seq: number; eliteSeq: number | null },
): boolean {
  if (stream === MARKET.elite) return eliteFrom !== null && seq > eliteFrom;
  if (stream !== MARKET.others) return true;
  return eliteFrom === null || seq <= eliteFrom || (eliteSeq !== null && eliteSeq <= eliteFrom);
}

/** Reads the class of a reader. The caller's tier decides only where the log has no event of a change. */
export async function readClass(
  db: Queryable,
  reader: EventReader,
): Promise<{ eliteFrom: EliteFrom; since: EliteSince | null }> {
  if (reader.kind !== 'agent') return { eliteFrom: null, since: null };
  const since = await findEliteSince(db, accountStreamOf(reader));
  if (since) return { eliteFrom: since.seq, since };
  return { eliteFrom: reader.tier === 'elite' ? 0 : null, since: null };
}

/** Returns the parts of the market's streams that the agent gets after a number. */
export async function marketParts(
  db: Queryable,
  { eliteFrom, since }: { eliteFrom: EliteFrom; since: EliteSince | null },
  after: number,
  earlyAccessMs: number,
): Promise<Part[]> {
  const part = (stream: string, low: number, more: Partial<Part> = {}): Part => ({
    stream,
    low,
    high: null,
    eliteUpTo: null,
    ...more,
  });
  const all = part(MARKET.all, after);
  if (eliteFrom === null) return [all, part(MARKET.others, after)];
  const parts = [all, part(MARKET.elite, Math.max(after, eliteFrom))];
  if (eliteFrom === 0 || since === null) return parts;
  if (after < eliteFrom) parts.push(part(MARKET.others, after, { high: eliteFrom }));
  // Earlier events that were still in early access: the agent gets them when the others do.
  const until = new Date(since.at.getTime() + Math.max(earlyAccessMs, LONGEST_EARLY_ACCESS_MS));
  const high = await lastForOthers(db, { after: eliteFrom, until });
  if (high === null || high > after)
    parts.push(part(MARKET.others, Math.max(after, eliteFrom), { high, eliteUpTo: eliteFrom }));
  return parts;
}
