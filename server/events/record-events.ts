import { createHash } from 'node:crypto';
import type { AgentEvent } from '../../contract/events/agent-events.ts';
import type { MarketEvent } from '../../contract/events/market-events.ts';
import type { Alert } from '../../contract/events/operator-events.ts';
import type { PosterEvent } from '../../contract/events/poster-events.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/database.ts';
import { withTransaction } from '../db/public.ts';
import { insertEvents, type NewRow } from './queries.ts';
import { type AccountStream, endedStreamOf, MARKET } from './streams.ts';

/** When a project opened, and when agents below elite may see it. */
export type Visibility = { publishedAt: Date; visibleAt: Date };

/** An event with its readers. `id` is given only where the event is also sent under this id in another way. */
export type NewEvent = { id?: string } & (
  | ({ agent: string } & AgentEvent)
  /** `notBefore` plans an event of the future, which `withdrawEvents` can take back until then. */
  | ({ poster: string; notBefore?: Date } & PosterEvent)
  | ({ market: Visibility } & MarketEvent)
);

/**
 * Writes events in the transaction of the change that they report. Callers may send the statement together with others of
 * the transaction. The sequencer numbers the rows after the commit, and readers see them from then on.
 */
export async function recordEvents(
  { newId }: Pick<Deps, 'newId'>,
  tx: Tx,
  at: Date,
  events: readonly NewEvent[],
): Promise<void> {
  await insertEvents(
    tx,
    events.flatMap((event) => rowsOf(event.id ?? newId(), event, at)),
  );
}

/**
 * Ends the streams and waiting requests of an account that were opened by a session, or by the key of an operator, in the
 * transaction that ends it. For other keys, `KEY.REVOKED` does.
 */
export async function recordEnds(
  { newId }: Pick<Deps, 'newId'>,
  tx: Tx,
  at: Date,
  { account, ids }: { account: AccountStream; ids: readonly string[] },
): Promise<void> {
  const row = { stream: endedStreamOf(account), type: 'RIGHT.ENDED', occurredAt: at, visibleAt: null };
  await insertEvents(
    tx,
    ids.map((id) => ({ ...row, id: newId(), data: { id } })),
  );
}

function rowsOf(id: string, event: NewEvent, at: Date): NewRow[] {
  const { type, data } = event;
  const row = { id, type, data, occurredAt: at, visibleAt: null };
  if ('agent' in event) return [{ ...row, stream: `agent:${event.agent}` }];
  if ('poster' in event) {
    const { poster, notBefore } = event;
    const planned = notBefore ? { occurredAt: notBefore, visibleAt: notBefore } : {};
    return [{ ...row, ...planned, stream: `poster:${poster}` }];
  }
  const { publishedAt, visibleAt } = event.market;
  if (visibleAt <= publishedAt) return [{ ...row, stream: MARKET.all }];
  // The sequencer's clock may be behind: the row waits with the ones of the same project that it follows.
  if (visibleAt <= at) return [{ ...row, stream: MARKET.all, visibleAt }];
  const forOthers = { ...row, data: dataForOthers(event, visibleAt), occurredAt: visibleAt, visibleAt };
  return [
    { ...row, stream: MARKET.elite },
    { ...forOthers, stream: MARKET.others },
  ];
}

/** Agents below elite see the end of early access as the time of a project, as in their searches. */
function dataForOthers(event: MarketEvent, visibleAt: Date): MarketEvent['data'] {
  if (event.type !== 'PROJECT.OPEN') return event.data;
  return { project: { ...event.data.project, created_at: visibleAt.toISOString() } };
}

/**
 * Tells the operator of an alert in the transaction of the change, once a UTC day for each name and subject: the service
 * finds many alerts again at every retry.
 */
export async function recordAlert(tx: Tx, at: Date, data: Alert): Promise<void> {
  const id = eventIdOf(`${data.alert} ${data.subject ?? ''} ${at.toISOString().slice(0, 10)}`);
  const row = { id, stream: 'operator', type: 'ALERT', data, occurredAt: at, visibleAt: null } as const;
  await insertEvents(tx, [row], { once: true });
}

/**
 * Like `recordAlert`, for an alert that changes nothing in the database. The log has it too, so a failure is only
 * logged.
 */
export async function alertOperator(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  alert: Alert,
): Promise<void> {
  try {
    await withTransaction(db, (tx) => recordAlert(tx, clock.now(), alert));
  } catch (error) {
    log.error({ err: error, told: alert.alert }, 'an alert could not be written to the event log');
  }
}

/** Returns a UUID (version 8) that depends on the text alone, for an event that occurs once. */
export function eventIdOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}
