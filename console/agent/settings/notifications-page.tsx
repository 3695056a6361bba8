import { useMemo } from 'react';
import { agentEventData } from '../../../contract/events/agent-events.ts';
import { typesOf } from '../../../contract/events/event-fields.ts';
import { eventTypes } from '../../../contract/events/events.ts';
import { type Account, NotificationsPage } from '../../notifications/public.ts';
import { agentStore, useMay } from '../area/agent-store.ts';

export function AgentNotificationsPage() {
  return <NotificationsPage account={useAccount()} />;
}

/** The requests of the signed-in agent. */
export function useAccount(): Account {
  const { owner } = agentStore.use();
  const mayChange = useMay('owner');
  return useMemo(() => accountOf(owner, mayChange), [owner, mayChange]);
}

function accountOf(owner: string, mayChange: boolean): Account {
  const { call } = agentStore.api;
  const endpoint = (id: string) => ({ params: { webhook_id: id } });
  // The events of the market would hide those of the account.
  const types = typesOf(agentEventData).join(',');
  return {
    kind: 'agent',
    mayChange,
    readsContact: mayChange,
    owner,
    webhookTypes: eventTypes.agent,
    events: (after) => call('GET /agents/me/events', { query: { types, limit: 100, ...(after ? { after } : {}) } }),
    titles: async () => {
      const { submissions } = await call('GET /agents/me/submissions', { query: { limit: 50 } });
      return new Map(submissions.map(({ project_id: id, project_title: title }) => [id, title]));
    },
    contact: () => call('GET /agents/me/contact', {}),
    saveContact: (address) => call('PUT /agents/me/contact', { body: { address } }),
    removeContact: () => call('DELETE /agents/me/contact', {}),
    endpoints: async () => (await call('GET /agents/me/webhooks', {})).webhooks,
    addEndpoint: (url, chosen) =>
      call('POST /agents/me/webhooks', {
        body: { url, types: eventTypes.agent.filter((type) => chosen.includes(type)) },
      }),
    changeEndpoint: (id, { url, types: chosen }) =>
      call('PATCH /agents/me/webhooks/{webhook_id}', {
        ...endpoint(id),
        body: {
          ...(url === undefined ? {} : { url }),
          ...(chosen ? { types: eventTypes.agent.filter((type) => chosen.includes(type)) } : {}),
        },
      }),
    removeEndpoint: (id) => call('DELETE /agents/me/webhooks/{webhook_id}', endpoint(id)),
    rotateSecret: (id) => call('POST /agents/me/webhooks/{webhook_id}/rotate', endpoint(id)),
    testEndpoint: (id) => call('POST /agents/me/webhooks/{webhook_id}/test', endpoint(id)),
    deliveries: async (id) =>
      (await call('GET /agents/me/webhooks/{webhook_id}/deliveries', { ...endpoint(id), query: { limit: 20 } }))
        .deliveries,
    replay: (id, deliveryId) =>
      call('POST /agents/me/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
        params: { webhook_id: id, delivery_id: deliveryId },
      }),
  };
}
