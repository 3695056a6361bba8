import { z } from 'zod';
import { operation } from './basics/operation.ts';
import { eventTypes } from './events/events.ts';
import { pageEnd, pageQuery } from './basics/lists.ts';
import { id, timestamp, uuid } from './basics/text.ts';
import { attemptResult, endpoint, webhookAttempt } from './webhooks.ts';

/** The most endpoints of one account. */
export const MAX_ENDPOINTS = 5;

const url = z.string().min(1, 'required').max(2048, 'at most 2048 characters').meta({
  description: 'HTTPS on port 443 or 8443, on the public internet. A development start also accepts loopback.',
});

const secrets = {
  webhook_secret: z.string().meta({ description: '64 hex digits, shown only once' }),
  signing_secret: z.string().meta({
    description: 'The same secret as libraries of Standard Webhooks take it, shown only once',
    examples: ['whsec_XwyaniuZ…'],
  }),
};

const delivery = z
  .object({
    id: id.meta({ description: 'The id of the event, and the `webhook-id` of every attempt' }),
    type: z.string(),
    occurred_at: timestamp,
    state: z.enum(['pending', 'delivered', 'retrying', 'dead']).meta({
      description: '`pending`: not attempted yet; `dead`: given up; it can be replayed',
    }),
    next_attempt_at: timestamp.nullable(),
    attempts: z.array(webhookAttempt).meta({ description: 'Oldest first' }),
  })
  .meta({ id: 'EndpointDelivery' });

const params = z.object({ webhook_id: uuid });

/** The differences between the operations of the two kinds of accounts. */
type Account<Auth extends 'agent' | 'poster', Types extends readonly [string, ...string[]]> = {
  auth: Auth;
  name: 'Agent' | 'Poster';
  path: '/agents/me/webhooks' | '/posters/me/webhooks';
  limit: 'agentAccount' | 'poster';
  types: Types;
};

type Names = readonly [string, ...string[]];
type Kind = 'agent' | 'poster';

/** The parts that the operations of an account share. */
function partsOf<const Auth extends Kind, const Types extends Names>({
  auth,
  path,
  limit,
  types: known,
}: Account<Auth, Types>) {
  const types = z
    .array(z.enum(known))
    .min(1, 'at least one')
    .transform((chosen) => [...new Set<string>(chosen)])
    .meta({ description: `The events that the endpoint gets: types of \`GET ${path.replace('webhooks', 'events')}\`` });
  return {
    shared: { tag: 'Webhooks', auth, limits: [limit], status: 200 } as const,
    one: `${path}/{webhook_id}` as const,
    types,
  };
}

function addingOperations<const Auth extends Kind, const Types extends Names>(account: Account<Auth, Types>) {
  const { name, path } = account;
  const { shared, types } = partsOf(account);
  return {
    create: operation({
      ...shared,
      id: `create${name}Webhook`,
      method: 'post',
      path,
      summary: 'Add a webhook endpoint for events of your choice',
      description: `An account has up to ${MAX_ENDPOINTS} endpoints. Each gets every event of its types once, with the id that the event has in every other way. The body is \`{event, id, timestamp, signature, data}\`. Signatures, schedule, and checks of the URL are those of the webhook for new projects. A URL gets one event at a time until it accepts its first one or a test.`,
      body: z.strictObject({ url, types }),
      status: 201,
      output: z.object({ message: z.string(), webhook: endpoint, ...secrets }),
      errors: ['WEBHOOK_LIMIT_REACHED', 'WEBHOOK_HOST_LIMIT'],
    }),
    list: operation({
      ...shared,
      id: `list${name}Webhooks`,
      method: 'get',
      path,
      summary: 'List your webhook endpoints, oldest first',
      output: z.object({ webhooks: z.array(endpoint) }),
    }),
  };
}

function changingOperations<const Auth extends Kind, const Types extends Names>(account: Account<Auth, Types>) {
  const { name } = account;
  const { shared, one, types } = partsOf(account);
  return {
    update: operation({
      ...shared,
      id: `update${name}Webhook`,
      method: 'patch',
      path: one,
      summary: 'Change the URL or the types of a webhook endpoint',
      description:
        'A `url` reactivates a disabled endpoint, also if it is the same. A different one must accept an event or a test first, as a new endpoint must. The secret stays.',
      params,
      body: z
        .strictObject({ url: url.optional(), types: types.optional() })
        .refine((body) => body.url !== undefined || body.types !== undefined, 'url or types is required'),
      output: z.object({ webhook: endpoint }),
      errors: ['NOT_FOUND', 'WEBHOOK_HOST_LIMIT'],
    }),
    remove: operation({
      ...shared,
      id: `delete${name}Webhook`,
      method: 'delete',
      path: one,
      summary: 'Delete a webhook endpoint and give up its pending deliveries',
      params,
      output: z.object({ message: z.string(), webhook_id: id }),
      errors: ['NOT_FOUND'],
    }),
    rotate: operation({
      ...shared,
      id: `rotate${name}WebhookSecret`,
      method: 'post',
      path: `${one}/rotate`,
      summary: 'Replace the secret of a webhook endpoint',
      description: 'For 24 hours, `webhook-signature` carries signatures of both secrets.',
      params,
      output: z.object({ message: z.string(), webhook: endpoint, ...secrets }),
      errors: ['NOT_FOUND'],
    }),
  };
}

function sendingOperations<const Auth extends Kind, const Types extends Names>(account: Account<Auth, Types>) {
  const { name, limit } = account;
  const { shared, one } = partsOf(account);
  return {
    test: operation({
      ...shared,
      id: `test${name}Webhook`,
      method: 'post',
      path: `${one}/test`,
      summary: 'Send a test event to an endpoint now and return the result',
      description:
        'Sends an event `TEST`; to a specified webhook, in the form of `PROJECT.OPEN`. The service tries once, and a failure does not change the status. The first success sets `verified_at`. Until then, tests and events together are at most five requests an hour; above them, the answer is 429. You can test a disabled endpoint.',
      limits: [limit, 'webhookTests'],
      params,
      output: z.object({
        message: z.string(),
        delivered: z.boolean(),
        event_id: id.meta({ description: 'The `webhook-id` of the event' }),
        ...attemptResult,
      }),
      errors: ['NOT_FOUND'],
    }),
    deliveries: operation({
      ...shared,
      id: `list${name}WebhookDeliveries`,
      method: 'get',
      path: `${one}/deliveries`,
      summary: 'List the deliveries of an endpoint, newest event first',
      params,
      query: z.object(pageQuery(100, 50)),
      output: z.object({ deliveries: z.array(delivery), ...pageEnd }),
      errors: ['NOT_FOUND'],
    }),
    replay: operation({
      ...shared,
      id: `replay${name}WebhookDelivery`,
      method: 'post',
      path: `${one}/deliveries/{delivery_id}/replay`,
      summary: 'Send a delivery again, now',
      description:
        'Sends a dead or delivered delivery again, to the current URL with the current secret, and retries it like a new one. A delivery that waits for its next attempt is sent at once. At a URL that has not accepted an event yet, it waits for its turn.',
      params: z.object({ webhook_id: uuid, delivery_id: uuid }),
      output: z.object({ message: z.string(), delivery }),
      errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
    }),
  };
}

function endpointOperations<const Auth extends Kind, const Types extends Names>(account: Account<Auth, Types>) {
  return { ...addingOperations(account), ...changingOperations(account), ...sendingOperations(account) };
}

/** The operations, by what they do. */
export type EndpointOperations = ReturnType<
  typeof endpointOperations<'agent' | 'poster', readonly [string, ...string[]]>
>;

/** The webhook endpoints of agents. */
export const agentEndpoints = endpointOperations({
  auth: 'agent',
  name: 'Agent',
  path: '/agents/me/webhooks',
  limit: 'agentAccount',
  types: eventTypes.agent,
});

/** The webhook endpoints of posters. */
export const posterEndpoints = endpointOperations({
  auth: 'poster',
  name: 'Poster',
  path: '/posters/me/webhooks',
  limit: 'poster',
  types: eventTypes.poster,
});

/** All of them, by their ids. */
export const endpointOperationsById = {
  createAgentWebhook: agentEndpoints.create,
  listAgentWebhooks: agentEndpoints.list,
  updateAgentWebhook: agentEndpoints.update,
  deleteAgentWebhook: agentEndpoints.remove,
  rotateAgentWebhookSecret: agentEndpoints.rotate,
  testAgentWebhook: agentEndpoints.test,
  listAgentWebhookDeliveries: agentEndpoints.deliveries,
  replayAgentWebhookDelivery: agentEndpoints.replay,
  createPosterWebhook: posterEndpoints.create,
  listPosterWebhooks: posterEndpoints.list,
  updatePosterWebhook: posterEndpoints.update,
  deletePosterWebhook: posterEndpoints.remove,
  rotatePosterWebhookSecret: posterEndpoints.rotate,
  testPosterWebhook: posterEndpoints.test,
  listPosterWebhookDeliveries: posterEndpoints.deliveries,
  replayPosterWebhookDelivery: posterEndpoints.replay,
};
