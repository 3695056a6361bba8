import type { EndpointOperations } from '../../contract/account-webhooks.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import type { Queryable } from '../db/database.ts';
import { type DeliveryRow, listDeliveryRows, sendAgain, startNext, waitAgain } from './delivery-queries.ts';
import { type EndpointRow, findEndpoint, lockEndpoint } from './endpoint-queries.ts';
import { accountOf, type EndpointCaller, noEndpoint } from './endpoint-view.ts';

type Ctx = Context<EndpointCaller>;
type Shown = Output<EndpointOperations['deliveries']>['deliveries'][number];

/** Lists the deliveries of an endpoint, newest event first. */
export async function listEndpointDeliveries(
  ctx: Ctx,
  { params, query }: Input<EndpointOperations['deliveries']>,
): Promise<Output<EndpointOperations['deliveries']>> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : decodeCursor(cursor).id;
  const { id } = await ownEndpoint(ctx, params.webhook_id);
  const found = await listDeliveryRows(ctx.db, id, { before, only: null, limit: limit + 1 });
  const page = pageOf(found, limit, ({ createdAt, eventId }) => ({ at: createdAt, id: eventId }));
  return { deliveries: page.rows.map(shownDelivery), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** Makes a delivery due now, once more. */
export async function replayEndpointDelivery(
  ctx: Ctx,
  { params: { webhook_id: id, delivery_id: only } }: Input<EndpointOperations['replay']>,
): Promise<Output<EndpointOperations['replay']>> {
  const endpoint = await withTransaction(ctx.db, async (tx) => {
    const found = await lockEndpoint(tx, { account: accountOf(ctx.caller), id });
    if (!found) throw noEndpoint();
    await findRow(tx, found, only);
    if (found.status === 'disabled')
      throw new DomainError('WEBHOOK_DISABLED', 'This webhook is disabled. Register or update its URL, then replay.');
    const now = ctx.clock.now();
    if (found.verifiedAt) await sendAgain(tx, found.id, only, now);
    else {
      // A URL that never succeeded keeps its schedule, or its owner could send to it as often as it replays.
      await waitAgain(tx, found.id, only);
      await startNext(tx, found.id, { at: now, now });
    }
    return found;
  });
  const message = endpoint.verifiedAt
    ? 'The delivery is due now.'
    : 'The delivery waits for its turn: your URL has not accepted an event yet. Send a TEST event to it.';
  return { message, delivery: shownDelivery(await findRow(ctx.db, endpoint, only)) };
}

/** @throws DomainError NOT_FOUND */
async function ownEndpoint({ db, caller }: Ctx, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, { account: accountOf(caller), id });
  if (!endpoint) throw noEndpoint();
  return endpoint;
}

/** The same error for another endpoint's event, an event that never went there, and an unknown id. */
async function findRow(db: Queryable, { id }: EndpointRow, only: string): Promise<DeliveryRow> {
  const [row] = await listDeliveryRows(db, id, { before: null, only, limit: 1 });
  if (!row) throw new DomainError('NOT_FOUND', 'No such delivery.');
  return row;
}

/** Returns the state of a delivery and when it is due. */
export function stateOf({ deadAt, deliveredAt, dueAt, attempts }: DeliveryRow) {
  const state = deadAt ? 'dead' : deliveredAt ? 'delivered' : attempts.length > 0 ? 'retrying' : 'pending';
  const shown = attempts.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt }));
  return { state, next_attempt_at: state === 'dead' || state === 'delivered' ? null : dueAt, attempts: shown } as const;
}

function shownDelivery(row: DeliveryRow): Shown {
  return { id: row.eventId, type: row.type, occurred_at: row.createdAt, ...stateOf(row) };
}
