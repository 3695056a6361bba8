import type { EndpointOperations } from '../../contract/account-webhooks.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { webhookOperations } from '../../contract/webhooks.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { Queryable } from '../ports/database.ts';
import { type DeliveryRow, listDeliveryRows, sendAgain, startNext, waitAgain } from './delivery-queries.ts';
import { type EndpointName, type EndpointRow, findEndpoint, lockEndpoint } from './endpoint-queries.ts';
import { accountOf, type EndpointCaller, noEndpoint, noWebhook } from './endpoint-view.ts';
import { loggedEvent, sentRequest, specifiedEvent } from './event-body.ts';

// The history of deliveries: to the endpoints of an account, and to the webhook of the specification at its own path.

type Ctx = Context<EndpointCaller>;
type Shown = Output<EndpointOperations['deliveries']>['deliveries'][number];
type ShownSpecified = Output<typeof webhookOperations.listDeliveries>['deliveries'][number];

export async function listEndpointDeliveries(
  ctx: Ctx,
  { params, query }: Input<EndpointOperations['deliveries']>,
): Promise<Output<EndpointOperations['deliveries']>> {
  return await listPage(ctx, namedBy(ctx, params.webhook_id), query, shownDelivery);
}

export async function readEndpointDelivery(
  ctx: Ctx,
  { params }: Input<EndpointOperations['read']>,
): Promise<Output<EndpointOperations['read']>> {
  const { row, request } = await readOne(ctx, namedBy(ctx, params.webhook_id), params.delivery_id);
  return { delivery: shownDelivery(row), request };
}

export async function replayEndpointDelivery(
  ctx: Ctx,
  { params }: Input<EndpointOperations['replay']>,
): Promise<Output<EndpointOperations['replay']>> {
  const { row, message } = await replay(ctx, namedBy(ctx, params.webhook_id), params.delivery_id);
  return { message, delivery: shownDelivery(row) };
}

type Specified = Context<AgentCaller>;

export async function listDeliveries(
  ctx: Specified,
  { query }: Input<typeof webhookOperations.listDeliveries>,
): Promise<Output<typeof webhookOperations.listDeliveries>> {
  return await listPage(ctx, specified(ctx), query, shownSpecified);
}

export async function readDelivery(
  ctx: Specified,
  { params }: Input<typeof webhookOperations.getWebhookDelivery>,
): Promise<Output<typeof webhookOperations.getWebhookDelivery>> {
  const { row, request } = await readOne(ctx, specified(ctx), params.delivery_id);
  return { delivery: shownSpecified(row), request };
}

export async function replayDelivery(
  ctx: Specified,
  { params }: Input<typeof webhookOperations.replayDelivery>,
): Promise<Output<typeof webhookOperations.replayDelivery>> {
  const { row, message } = await replay(ctx, specified(ctx), params.delivery_id);
  return { message, delivery: shownSpecified(row) };
}

const namedBy = ({ caller }: Ctx, id: string): EndpointName => ({ account: accountOf(caller), id });
const specified = ({ caller }: Specified): EndpointName => ({ account: accountOf(caller), specified: true });
const missing = (name: EndpointName) => ('id' in name ? noEndpoint() : noWebhook());

async function listPage<Each>(
  ctx: Ctx,
  name: EndpointName,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  show: (row: DeliveryRow) => Each,
): Promise<{ deliveries: Each[]; has_more: boolean; next_cursor: string | null }> {
  const before = cursor === undefined ? null : decodeCursor(cursor).id;
  const endpoint = await findEndpoint(ctx.db, name);
  if (!endpoint) throw missing(name);
  const found = await listDeliveryRows(ctx.db, endpoint.id, { before, only: null, limit: limit + 1 });
  const page = pageOf(found, limit, ({ createdAt, eventId }) => ({ at: createdAt, id: eventId }));
  return { deliveries: page.rows.map(show), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** Returns a delivery, with what its requests carried. */
async function readOne(ctx: Ctx, name: EndpointName, only: string) {
  const endpoint = await findEndpoint(ctx.db, name);
  if (!endpoint) throw missing(name);
  const row = await findRow(ctx.db, endpoint, only);
  const event = { id: row.eventId, type: row.type, occurredAt: row.createdAt, data: row.data };
  const signable = endpoint.specified ? specifiedEvent(event, endpoint.accountId) : loggedEvent(event);
  return { row, request: sentRequest(signable) };
}

/** Makes a delivery due now, once more. */
async function replay(ctx: Ctx, name: EndpointName, only: string): Promise<{ row: DeliveryRow; message: string }> {
  const endpoint = await withTransaction(ctx.db, async (tx) => {
    const found = await lockEndpoint(tx, name);
    if (!found) throw missing(name);
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
  return { row: await findRow(ctx.db, endpoint, only), message };
}

/** The same error for another endpoint's event, an event that never went there, and an unknown id. */
async function findRow(db: Queryable, { id }: EndpointRow, only: string): Promise<DeliveryRow> {
  const [row] = await listDeliveryRows(db, id, { before: null, only, limit: 1 });
  if (!row) throw new DomainError('NOT_FOUND', 'No such delivery.');
  return row;
}

/** Returns the state of a delivery and when it is due. */
export function stateOf({ deadAt, deliveredAt, dueAt, attempts }: Omit<DeliveryRow, 'data' | 'stream'>) {
  const state = deadAt ? 'dead' : deliveredAt ? 'delivered' : attempts.length > 0 ? 'retrying' : 'pending';
  const shown = attempts.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt }));
  return { state, next_attempt_at: state === 'dead' || state === 'delivered' ? null : dueAt, attempts: shown } as const;
}

function shownDelivery(row: DeliveryRow): Shown {
  return { id: row.eventId, type: row.type, occurred_at: row.createdAt, ...stateOf(row) };
}

function shownSpecified(row: DeliveryRow): ShownSpecified {
  const { project } = JSON.parse(row.data) as { project?: { id: string; title: string } };
  return {
    id: row.eventId,
    event: project ? 'PROJECT.OPEN' : 'WALLET.CHANGE',
    project_id: project?.id ?? null,
    project_title: project?.title ?? null,
    created_at: row.createdAt,
    ...stateOf(row),
  };
}
