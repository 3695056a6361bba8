import type { endpointOperations } from '../../contract/account-webhooks.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { readPage } from '../paging.ts';
import type { Queryable } from '../db/database.ts';
import { type DeliveryRow, listDeliveryRows, sendAgain, startNext } from './delivery-queries.ts';
import { type EndpointCaller, lockEndpoint, ownEndpoint } from './endpoint-queries.ts';

type Ctx = Context<EndpointCaller>;
type Shown = Output<typeof endpointOperations.listAgentWebhookDeliveries>['deliveries'][number];

/** Lists the deliveries of an endpoint, newest event first. */
export async function listEndpointDeliveries(
  ctx: Ctx,
  { params, query }: Input<typeof endpointOperations.listAgentWebhookDeliveries>,
): Promise<Output<typeof endpointOperations.listAgentWebhookDeliveries>> {
  const { id } = await ownEndpoint(ctx.caller, params.webhook_id, ctx.db);
  const { rows, end } = await readPage(
    query,
    ({ after, limit }) => listDeliveryRows(ctx.db, id, { before: after?.id ?? null, only: null, limit }),
    ({ createdAt, eventId }) => ({ at: createdAt, id: eventId }),
  );
  return { deliveries: rows.map(shownDelivery), ...end };
}

/** Makes a delivery due now, once more. */
export async function replayEndpointDelivery(
  ctx: Ctx,
  { params: { webhook_id: id, delivery_id: only } }: Input<typeof endpointOperations.replayAgentWebhookDelivery>,
): Promise<Output<typeof endpointOperations.replayAgentWebhookDelivery>> {
  const verified = await withTransaction(ctx.db, async (tx) => {
    const { status, verifiedAt } = await ownEndpoint(ctx.caller, id, tx, lockEndpoint);
    await findRow(tx, id, only);
    if (status === 'disabled')
      throw new DomainError('WEBHOOK_DISABLED', 'This webhook is disabled. Register or update its URL, then replay.');
    const now = ctx.clock.now();
    // A URL that never succeeded keeps its schedule, or its owner could send to it as often as it replays.
    await sendAgain(tx, { endpointId: id, eventId: only, at: verifiedAt ? now : null, now });
    if (!verifiedAt) await startNext(tx, id, { at: now, now });
    return verifiedAt !== null;
  });
  const message = verified
    ? 'The delivery is due now.'
    : 'The delivery waits for its turn: your URL has not accepted an event yet. Send a TEST event to it.';
  return { message, delivery: shownDelivery(await findRow(ctx.db, id, only)) };
}

/** The same error for another endpoint's event, an event that never went there, and an unknown id. */
async function findRow(db: Queryable, endpointId: string, only: string): Promise<DeliveryRow> {
  const [row] = await listDeliveryRows(db, endpointId, { before: null, only, limit: 1 });
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
