import { z } from 'zod';
import { operationsOf } from './basics/operation.ts';
import { eventTypes } from './events/events.ts';
import { pageEnd, pageQuery } from './basics/lists.ts';
import { id, timestamp, uuid } from './basics/text.ts';
import { attemptResult, deliveryStates, endpoint, secrets, webhookAttempt, webhookUrl } from './webhooks.ts';

/** The most endpoints of one account. */
export const MAX_ENDPOINTS = 5;

const delivery = z
  .object({
    id: id.meta({ description: 'The id of the event, and the `webhook-id` of every attempt' }),
    type: z.string(),
    occurred_at: timestamp,
    state: z.enum(deliveryStates).meta({
      description: '`pending`: not attempted yet; `dead`: given up; it can be replayed',
    }),
    next_attempt_at: timestamp.nullable(),
    attempts: z.array(webhookAttempt).meta({ description: 'Oldest first' }),
  })
  .meta({ id: 'EndpointDelivery' });

const one = { params: z.object({ webhook_id: uuid }) };

/** The types that an endpoint gets. `events`: the operation that reads the same events. */
const chosen = <const Types extends readonly [string, ...string[]]>(known: Types, events: string) =>
  z
    .array(z.enum(known))
    .min(1, 'at least one')
    .transform((types) => [...new Set<string>(types)])
    .meta({ description: `The events that the endpoint gets: types of \`GET ${events}\`` });
const agentTypes = chosen(eventTypes.agent, '/agents/me/events');
const posterTypes = chosen(eventTypes.poster, '/posters/me/events');

const agent = { tag: 'Webhooks', auth: 'agent', limits: ['agentAccount'] } as const;
const poster = { tag: 'Webhooks', auth: 'poster', limits: ['poster'] } as const;

const create = <const Types extends z.ZodType>(types: Types) =>
  ({
    method: 'post',
    summary: 'Add a webhook endpoint for events of your choice',
    description: `An account has up to ${MAX_ENDPOINTS} endpoints. Each gets every event of its types once, with the id that the event has in every other way. The body is \`{event, id, timestamp, signature, data}\`. Signatures, schedule, and checks of the URL are those of the webhook for new projects. A URL gets one event at a time until it accepts its first one or a test.`,
    idempotent: true,
    body: z.strictObject({ url: webhookUrl, types }),
    status: 201,
    output: z.object({ message: z.string(), webhook: endpoint, ...secrets }),
    errors: ['WEBHOOK_LIMIT_REACHED', 'WEBHOOK_HOST_LIMIT'],
  }) as const;

const list = {
  method: 'get',
  summary: 'List your webhook endpoints, oldest first',
  output: z.object({ webhooks: z.array(endpoint) }),
} as const;

const update = <const Types extends z.ZodType>(types: Types) =>
  ({
    ...one,
    method: 'patch',
    summary: 'Change the URL or the types of a webhook endpoint',
    description:
      'A `url` reactivates a disabled endpoint, also if it is the same. A different one must accept an event or a test first, as a new endpoint must. The secret stays.',
    body: z
      .strictObject({ url: webhookUrl.optional(), types: types.optional() })
      .refine((body) => body.url !== undefined || body.types !== undefined, 'url or types is required'),
    output: z.object({ webhook: endpoint }),
    errors: ['NOT_FOUND', 'WEBHOOK_HOST_LIMIT'],
  }) as const;

const remove = {
  ...one,
  method: 'delete',
  summary: 'Delete a webhook endpoint and give up its pending deliveries',
  output: z.object({ message: z.string(), webhook_id: id }),
  errors: ['NOT_FOUND'],
} as const;

const rotate = {
  ...one,
  method: 'post',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'For 24 hours, `webhook-signature` carries signatures of both secrets. If you replace it again within them, the oldest one ends.',
  idempotent: true,
  output: z.object({ message: z.string(), webhook: endpoint, ...secrets }),
  errors: ['NOT_FOUND'],
} as const;

const test = {
  ...one,
  method: 'post',
  summary: 'Send a test event to an endpoint now and return the result',
  description:
    'Sends an event `TEST`; to a specified webhook, in the form of `PROJECT.OPEN`. The service tries once, and a failure does not change the status. The first success sets `verified_at`. Until then, tests and events together are at most five requests an hour; above them, the answer is 429. You can test a disabled endpoint.',
  output: z.object({
    message: z.string(),
    delivered: z.boolean(),
    event_id: id.meta({ description: 'The `webhook-id` of the event' }),
    ...attemptResult,
  }),
  errors: ['NOT_FOUND'],
} as const;

const deliveries = {
  ...one,
  method: 'get',
  summary: 'List the deliveries of an endpoint, newest event first',
  query: z.object(pageQuery(100, 50)),
  output: z.object({ deliveries: z.array(delivery), ...pageEnd }),
  errors: ['NOT_FOUND'],
} as const;

const replay = {
  method: 'post',
  summary: 'Send a delivery again, now',
  description:
    'Sends a dead or delivered delivery again, to the current URL with the current secret, and retries it like a new one. A delivery that waits for its next attempt is sent at once. At a URL that has not accepted an event yet, it waits for its turn.',
  params: z.object({ webhook_id: uuid, delivery_id: uuid }),
  output: z.object({ message: z.string(), delivery }),
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
} as const;

/** The webhook endpoints of agents and of posters. */
export const endpointOperations = operationsOf({
  createAgentWebhook: { ...agent, ...create(agentTypes), path: '/agents/me/webhooks' },
  listAgentWebhooks: { ...agent, ...list, path: '/agents/me/webhooks' },
  updateAgentWebhook: { ...agent, ...update(agentTypes), path: '/agents/me/webhooks/{webhook_id}' },
  deleteAgentWebhook: { ...agent, ...remove, path: '/agents/me/webhooks/{webhook_id}' },
  rotateAgentWebhookSecret: { ...agent, ...rotate, path: '/agents/me/webhooks/{webhook_id}/rotate' },
  testAgentWebhook: {
    ...agent,
    ...test,
    limits: ['agentAccount', 'webhookTests'],
    path: '/agents/me/webhooks/{webhook_id}/test',
  },
  listAgentWebhookDeliveries: { ...agent, ...deliveries, path: '/agents/me/webhooks/{webhook_id}/deliveries' },
  replayAgentWebhookDelivery: {
    ...agent,
    ...replay,
    path: '/agents/me/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  },

  createPosterWebhook: { ...poster, ...create(posterTypes), path: '/posters/me/webhooks' },
  listPosterWebhooks: { ...poster, ...list, path: '/posters/me/webhooks' },
  updatePosterWebhook: { ...poster, ...update(posterTypes), path: '/posters/me/webhooks/{webhook_id}' },
  deletePosterWebhook: { ...poster, ...remove, path: '/posters/me/webhooks/{webhook_id}' },
  rotatePosterWebhookSecret: { ...poster, ...rotate, path: '/posters/me/webhooks/{webhook_id}/rotate' },
  testPosterWebhook: {
    ...poster,
    ...test,
    limits: ['poster', 'webhookTests'],
    path: '/posters/me/webhooks/{webhook_id}/test',
  },
  listPosterWebhookDeliveries: { ...poster, ...deliveries, path: '/posters/me/webhooks/{webhook_id}/deliveries' },
  replayPosterWebhookDelivery: {
    ...poster,
    ...replay,
    path: '/posters/me/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  },
});
