import type { EndpointOperations } from '../../../contract/account-webhooks.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { findEvents, type LoggedEvent } from '../../events/public.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import { sentRequest } from '../delivery/public.ts';
import { type AttemptRow, dueEarlier, listAttempts } from '../history/public.ts';
import { loggedEvent } from '../sender/public.ts';
import { wakeTrials } from '../trials/public.ts';
import { type LoggedDelivery, listLogged, sendAgain } from './delivery-queries.ts';
import { endpointAccountOf, noEndpoint, type EndpointCaller } from './endpoint-view.ts';
import { type EndpointRow, findEndpoint, lockEndpoint } from './queries.ts';

type Shown = Output<EndpointOperations['deliveries']>['deliveries'][number];

/** Lists the deliveries to one endpoint. */
export async function listEndpointDeliveries(
  ctx: Context<EndpointCaller>,
  { params, query }: Input<EndpointOperations['deliveries']>,
): Promise<Output<EndpointOperations['deliveries']>> {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor).id;
  const endpoint = await findEndpoint(ctx.db, endpointAccountOf(ctx.caller), params.webhook_id);
  if (!endpoint) throw noEndpoint();
  const found = await listLogged(ctx.db, endpoint.id, { before, only: null, limit: query.limit + 1 });
  const page = pageOf(found, query.limit, ({ createdAt, eventId }) => ({ at: createdAt, id: eventId }));
  return { deliveries: await show(ctx.db, page.rows), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** Returns a delivery to one endpoint, with what its requests carried. */
export async function readEndpointDelivery(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['read']>,
): Promise<Output<EndpointOperations['read']>> {
  const only = params.delivery_id;
  const endpoint = await findEndpoint(ctx.db, endpointAccountOf(ctx.caller), params.webhook_id);
  if (!endpoint) throw noEndpoint();
  const rows = await listLogged(ctx.db, endpoint.id, { before: null, only, limit: 1 });
  const [delivery] = await show(ctx.db, rows);
  const [event] = await findEvents(ctx.db, eventsOf(rows));
  if (!delivery || !event) throw noDelivery();
  return { delivery, request: sentRequest(loggedEvent(event)) };
}

/** Makes a delivery due now, once more. */
export async function replayEndpointDelivery(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['replay']>,
): Promise<Output<EndpointOperations['replay']>> {
  const only = params.delivery_id;
  const endpoint = await withTransaction(ctx.db, async (tx) => {
    const found = await lockEndpoint(tx, endpointAccountOf(ctx.caller), params.webhook_id);
    if (!found) throw noEndpoint();
    await makeDue(ctx, tx, found, only);
    return found;
  });
  const [delivery] = await show(ctx.db, await listLogged(ctx.db, endpoint.id, { before: null, only, limit: 1 }));
  if (!delivery) throw noDelivery();
  const message = endpoint.verifiedAt
    ? 'The delivery is due now.'
    : 'The delivery waits for its turn: your URL has not accepted an event yet. Send a TEST event to it.';
  return { message, delivery };
}

async function makeDue({ clock }: Context<EndpointCaller>, tx: Tx, endpoint: EndpointRow, only: string): Promise<void> {
  const [row] = await listLogged(tx, endpoint.id, { before: null, only, limit: 1 });
  if (!row || (await findEvents(tx, [{ id: row.eventId, stream: row.stream }])).length === 0) throw noDelivery();
  if (endpoint.status === 'disabled')
    throw new DomainError('WEBHOOK_DISABLED', 'This endpoint is disabled. Update its URL, then replay.');
  const now = clock.now();
  if (row.deadAt || row.deliveredAt) {
    await sendAgain(tx, row, now);
    await wakeTrials(tx, [endpoint.id], now);
  }
  // An endpoint that never succeeded keeps its schedule, or its owner could send to it as often as it replays.
  else if (endpoint.verifiedAt) await dueEarlier(tx, row, now);
}

/** Adds the events and the attempts. The log may have forgotten an event by now; its delivery is then left out. */
async function show(db: Queryable, rows: LoggedDelivery[]): Promise<Shown[]> {
  const [events, attempts] = await Promise.all([findEvents(db, eventsOf(rows)), listAttempts(db, rows)]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return rows.flatMap((row) => {
    const event = byId.get(row.eventId);
    const ofRow = attempts.filter(({ eventId }) => eventId === row.eventId);
    return event ? [shownDelivery(row, event, ofRow)] : [];
  });
}

function eventsOf(rows: LoggedDelivery[]) {
  return rows.map(({ eventId: id, stream }) => ({ id, stream }));
}

function shownDelivery(row: LoggedDelivery, event: LoggedEvent, attempts: AttemptRow[]): Shown {
  const state = stateOf(row, attempts);
  return {
    id: row.eventId,
    type: event.type,
    occurred_at: event.occurredAt,
    state,
    next_attempt_at: state === 'pending' || state === 'retrying' ? row.dueAt : null,
    attempts: attempts.map(({ at, number, status, latencyMs, failure, answer }) => ({
      at,
      number,
      status,
      latency_ms: latencyMs,
      failure,
      answer,
    })),
  };
}

function stateOf({ deadAt, deliveredAt }: LoggedDelivery, attempts: AttemptRow[]): Shown['state'] {
  if (deadAt) return 'dead';
  if (deliveredAt) return 'delivered';
  return attempts.length > 0 ? 'retrying' : 'pending';
}

/** The same error for another endpoint's event, an event that never went there, and an unknown id. */
function noDelivery(): DomainError {
  return new DomainError('NOT_FOUND', 'No such delivery.');
}
