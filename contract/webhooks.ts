import { z } from 'zod';
import { asOperator, operationsOf } from './basics/operation.ts';
import { listQuery, pageEnd, someOf } from './basics/lists.ts';
import { id, text, timestamp, uuid } from './basics/text.ts';

/** The state of an endpoint. */
const webhookState = {
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

/** An endpoint as its owner sees it. */
export const endpoint = z
  .object({
    id,
    url: z.string(),
    types: z.array(z.string()).meta({ description: 'The event types that it gets' }),
    specified: z.boolean().meta({
      description:
        'It is the webhook of `POST /agents/webhooks/projects`: it gets `PROJECT.OPEN` in the form of that operation, and keeps its types',
    }),
    ...webhookState,
    previous_secret_until: timestamp
      .nullable()
      .meta({ description: 'Until then, `webhook-signature` also carries a signature of the replaced secret' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });

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

/** The URL of an endpoint, in a request. */
export const webhookUrl = z.string().min(1, 'required').max(2048, 'at most 2048 characters').meta({
  description: 'HTTPS on port 443 or 8443, on the public internet. A development start also accepts loopback.',
});

/** The new secret of an endpoint, in its two forms. */
export const secrets = {
  webhook_secret: z.string().meta({ description: '64 hex digits, shown only once' }),
  signing_secret: z.string().meta({
    description: 'The same secret as libraries of Standard Webhooks take it, shown only once',
    examples: ['whsec_XwyaniuZ…'],
  }),
};

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

export const deliveryStates = ['pending', 'delivered', 'retrying', 'dead'] as const;

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

/** The webhook of the specification, and the operator's view of all webhooks. */
export const webhookOperations = operationsOf({
  registerWebhook: {
    tag: 'Webhooks',
    auth: 'agent',
    credentialErrors: { missing: 'UNAUTHORIZED', invalid: 'UNAUTHORIZED' },
    limits: ['agentAccount'],
    method: 'post',
    path: '/agents/webhooks/projects',
    summary: 'Register a webhook for every project that opens',
    description:
      'An agent has one webhook: 201 if this request created it, 200 if it replaced the URL. A new URL gets one event at a time until it accepts its first one; a `TEST` event counts too. At most 20 URLs of one host name may be in this state; a deleted one counts for an hour. Replacing the URL reactivates a disabled webhook and creates a new secret. For 24 hours, `webhook-signature` carries signatures of both secrets. Only this response contains the secret: store it. Read, test, and delete the webhook below `/agents/me/webhooks`, where it has `specified: true`.',
    body: z.object({ webhook_url: webhookUrl }),
    status: 201,
    otherStatus: 200,
    databaseDown: 500,
    output: z.object({
      message: z.string(),
      subscription_id: id,
      webhook_url: z.string(),
      event_type: z.literal('PROJECT.OPEN'),
      created_at: timestamp,
      updated_at: timestamp,
      ...secrets,
    }),
    errors: ['WEBHOOK_HOST_LIMIT'],
  },

  listWebhookDeliveries: {
    ...asOperator,
    method: 'get',
    path: '/operator/webhooks/deliveries',
    summary: 'List webhook deliveries, newest event first',
    query: z.object({
      state: someOf(deliveryStates),
      webhook_id: uuid.optional(),
      agent_id: uuid.optional().meta({ description: 'The owner of the webhook' }),
      project_id: uuid.optional().meta({ description: 'Also finds the events of accounts that name the project' }),
      ...listQuery,
    }),
    output: z.object({ deliveries: z.array(operatorDelivery), ...pageEnd }),
  },

  disableWebhook: {
    ...asOperator,
    method: 'post',
    path: '/operator/webhooks/{webhook_id}/disable',
    summary: 'Disable a webhook until its owner registers or updates its URL again',
    description: 'The service gives up its pending deliveries. Repeating the request returns the first reason.',
    params: z.object({ webhook_id: uuid }),
    body: z.object({ reason: text(1, 500) }),
    output: z.object({
      message: z.string(),
      webhook: endpoint.extend({ agent_id: id.nullable(), poster_id: id.nullable() }).meta({ id: 'OperatorWebhook' }),
    }),
    errors: ['NOT_FOUND'],
  },
});
