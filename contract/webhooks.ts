import { z } from 'zod';
import { operation } from './basics/operation.ts';
import { listQuery, someOf } from './basics/lists.ts';
import { integerText } from './basics/integer-text.ts';
import { id, text, timestamp, uuid } from './basics/text.ts';

const credentialErrors = { missing: 'UNAUTHORIZED', invalid: 'UNAUTHORIZED' } as const;

const eventTypes = ['PROJECT.OPEN', 'WALLET.CHANGE'] as const;

const subscription = {
  subscription_id: id,
  webhook_url: z.string(),
  event_type: z.literal('PROJECT.OPEN'),
  events: z.array(z.enum(eventTypes)).meta({ description: 'The events that the webhook takes' }),
  created_at: timestamp,
  updated_at: timestamp,
};

/** The state of an endpoint. */
export const webhookState = {
  status: z.enum(['active', 'disabled', 'failing']).meta({
    description:
      '`failing`: the service sends events, but has delivered none since `failing_since`. `disabled`: it sends none until you register the URL again',
  }),
  disabled_reason: z.string().nullable(),
  failing_since: timestamp.nullable(),
  verified_at: timestamp.nullable().meta({
    description:
      'When the URL accepted its first event or test. Until then, one event at a time is sent to it, and the newest 100 others wait.',
  }),
};

const failures = [
  'status',
  'content_type',
  'redirect',
  'timeout',
  'tls',
  'connection',
  'refused_address',
  'dns',
  'too_large',
] as const;

/** The result of one attempt. */
export const attemptResult = {
  status: z.int().nullable().meta({ description: 'The HTTP status of the response' }),
  latency_ms: z.int(),
  failure: z
    .enum(failures)
    .nullable()
    .meta({ description: 'Kind of failure; null if the attempt delivered the event' }),
  answer: z.string().nullable().meta({ description: 'The first KB of the response body, as text' }),
};

/** One attempt to deliver an event. */
export const webhookAttempt = z
  .object({
    at: timestamp,
    number: z
      .int()
      .meta({ description: '1 is the first attempt, 2 its immediate retry; later numbers are retries after a pause' }),
    ...attemptResult,
  })
  .meta({ id: 'WebhookAttempt' });

/** The headers and the body of a delivery's requests. */
export const sentRequest = z
  .object({
    method: z.literal('POST'),
    headers: z.record(z.string(), z.string()).meta({
      description:
        'The headers of every attempt. The signatures are left out; `webhook-timestamp` is the second of `at` of each attempt',
    }),
    body: z.string().meta({
      description: 'The body without its member `signature`: the text that this signature signs',
    }),
  })
  .meta({ id: 'SentRequest' });

const deliveryStates = ['pending', 'delivered', 'retrying', 'dead'] as const;

const delivery = {
  id: id.meta({ description: 'The `webhook-id` of every attempt' }),
  event: z.string().meta({ description: 'The type of the event' }),
  project_id: id.nullable().meta({ description: 'Null for an event about something else' }),
  project_title: z.string().nullable().meta({ description: 'The title in the event' }),
  state: z.enum(deliveryStates).meta({
    description:
      '`pending`: not attempted yet; `dead`: given up, or not sent because the project ended; it can be replayed',
  }),
  created_at: timestamp.meta({ description: 'When the event happened' }),
  next_attempt_at: timestamp.nullable(),
  attempts: z.array(webhookAttempt).meta({ description: 'Oldest first' }),
};

const agentDelivery = z.object(delivery).meta({ id: 'WebhookDelivery' });

const operatorDelivery = z
  .object({
    ...delivery,
    webhook_id: id,
    agent_id: id.nullable().meta({ description: 'The owner, if it is an agent and known' }),
    poster_id: id.nullable().meta({ description: 'The owner, if it is a poster' }),
    agent_name: z.string().nullable(),
    poster_name: z.string().nullable(),
    webhook_url: z.string().nullable().meta({ description: 'Null after its owner deleted the webhook' }),
  })
  .meta({ id: 'OperatorWebhookDelivery' });

const page = {
  limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; default 50' }),
  cursor: z.string().max(100).optional().meta({ description: 'Opaque: `next_cursor` of the previous page' }),
};
const pageEnd = { has_more: z.boolean(), next_cursor: z.string().nullable() };

const shared = { tag: 'Webhooks', auth: 'agent', credentialErrors, limits: ['agentAccount'] } as const;

/** Webhooks of agents, and their deliveries. */
export const webhookOperations = {
  registerWebhook: operation({
    ...shared,
    id: 'registerWebhook',
    method: 'post',
    path: '/agents/webhooks/projects',
    summary: 'Register a webhook for every project that opens',
    description:
      'An agent has one webhook: 201 if this request created it, 200 if it replaced the URL. A new URL gets one event at a time until it accepts its first one; a `TEST` event counts too. At most 20 URLs of one host name may be in this state; a deleted one counts for an hour. Replacing the URL reactivates a disabled webhook and creates a new secret. For 24 hours, `webhook-signature` carries signatures of both secrets. Only this response contains the secret: store it.',
    body: z.object({
      webhook_url: z.string().min(1, 'required').max(2048, 'at most 2048 characters').meta({
        description: 'HTTPS on port 443 or 8443, on the public internet. A development start also accepts loopback.',
      }),
      events: z.array(z.enum(eventTypes)).max(10, 'at most 10').optional().meta({
        description:
          'Name `WALLET.CHANGE` to be told of changes of your wallet, too. `PROJECT.OPEN` is always sent. If omitted, a replaced webhook keeps its choice',
      }),
    }),
    status: 201,
    otherStatus: 200,
    databaseDown: 500,
    output: z.object({
      message: z.string(),
      ...subscription,
      webhook_secret: z
        .string()
        .meta({ description: '64 hex digits, shown only once', examples: ['5f0c7a9e2b…64 hex digits'] }),
      signing_secret: z.string().meta({
        description: 'The same secret as libraries of Standard Webhooks take it, shown only once',
        examples: ['whsec_XwyaniuZ…'],
      }),
    }),
    errors: ['WEBHOOK_HOST_LIMIT'],
  }),

  getWebhook: operation({
    ...shared,
    id: 'getWebhook',
    method: 'get',
    path: '/agents/webhooks/projects',
    summary: 'Read your webhook',
    status: 200,
    output: z.object({
      ...subscription,
      ...webhookState,
      previous_secret_until: timestamp
        .nullable()
        .meta({ description: 'Until then, `webhook-signature` also carries a signature of the replaced secret' }),
    }),
    errors: ['NOT_FOUND'],
  }),

  deleteWebhook: operation({
    ...shared,
    id: 'deleteWebhook',
    method: 'delete',
    path: '/agents/webhooks/projects',
    summary: 'Delete your webhook and give up its pending deliveries',
    status: 200,
    output: z.object({ message: z.string(), subscription_id: id }),
    errors: ['NOT_FOUND'],
  }),

  testWebhook: operation({
    ...shared,
    id: 'testWebhook',
    method: 'post',
    path: '/agents/webhooks/projects/test',
    summary: 'Send a `TEST` event now and return the result',
    description:
      'The event is signed and shaped like PROJECT.OPEN, for a project that does not exist. The service tries once, and a failure does not change the webhook’s status. The first success sets `verified_at`. Until then, tests and events together are at most five requests an hour; above them, the answer is 429. You can test a disabled webhook before you register its URL again.',
    limits: ['agentAccount', 'webhookTests'],
    status: 200,
    output: z.object({
      message: z.string(),
      delivered: z.boolean(),
      event_id: id.meta({ description: 'The `webhook-id` of the event' }),
      ...attemptResult,
    }),
    errors: ['NOT_FOUND'],
  }),

  listDeliveries: operation({
    ...shared,
    id: 'listDeliveries',
    method: 'get',
    path: '/agents/webhooks/projects/deliveries',
    summary: 'List the deliveries of your webhook, newest event first',
    query: z.object(page),
    status: 200,
    output: z.object({ deliveries: z.array(agentDelivery), ...pageEnd }),
    errors: ['NOT_FOUND'],
  }),

  getWebhookDelivery: operation({
    ...shared,
    id: 'getWebhookDelivery',
    method: 'get',
    path: '/agents/webhooks/projects/deliveries/{delivery_id}',
    summary: 'Read a delivery of your webhook, with the request that was sent',
    params: z.object({ delivery_id: uuid }),
    status: 200,
    output: z.object({ delivery: agentDelivery, request: sentRequest }),
    errors: ['NOT_FOUND'],
  }),

  replayDelivery: operation({
    ...shared,
    id: 'replayDelivery',
    method: 'post',
    path: '/agents/webhooks/projects/deliveries/{delivery_id}/replay',
    summary: 'Send a delivery again, now',
    description:
      'Sends a dead or delivered delivery again, to the current URL with the current secret, and retries it like a new one. A delivery that waits for its next attempt is sent immediately. To a URL that has not accepted an event yet, one event at a time is sent, so the delivery waits for its turn.',
    params: z.object({ delivery_id: uuid }),
    status: 200,
    output: z.object({ message: z.string(), delivery: agentDelivery }),
    errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  }),

  listWebhookDeliveries: operation({
    id: 'listWebhookDeliveries',
    method: 'get',
    path: '/operator/webhooks/deliveries',
    tag: 'Operator',
    summary: 'List webhook deliveries, newest event first',
    auth: 'operator',
    query: z.object({
      state: someOf(deliveryStates),
      webhook_id: uuid.optional(),
      agent_id: uuid.optional().meta({ description: 'The owner of the webhook' }),
      project_id: uuid.optional().meta({ description: 'Also finds the events of accounts that name the project' }),
      ...listQuery,
    }),
    status: 200,
    output: z.object({ deliveries: z.array(operatorDelivery), ...pageEnd }),
  }),

  disableWebhook: operation({
    id: 'disableWebhook',
    method: 'post',
    path: '/operator/webhooks/{webhook_id}/disable',
    tag: 'Operator',
    summary: 'Disable a webhook until its owner registers or updates its URL again',
    description: 'The service gives up its pending deliveries. Repeating the request returns the first reason.',
    auth: 'operator',
    params: z.object({ webhook_id: uuid }),
    body: z.object({ reason: text(1, 500) }),
    status: 200,
    output: z.object({
      message: z.string(),
      webhook: z
        .object({
          subscription_id: id,
          webhook_url: z.string(),
          events: z.array(z.string()).meta({ description: 'The event types that it takes' }),
          created_at: timestamp,
          updated_at: timestamp,
          ...webhookState,
          agent_id: id.nullable(),
          poster_id: id.nullable(),
        })
        .meta({ id: 'OperatorWebhook' }),
    }),
    errors: ['NOT_FOUND'],
  }),
};
