import { agentEventData } from '../../contract/events/agent-events.ts';
import { typesOf } from '../../contract/events/event-fields.ts';
import { eventTypes } from '../../contract/events/events.ts';
import type { Api, ApiData } from '../api/public.ts';

export type Contact = NonNullable<ApiData<'GET /posters/me/contact'>['contact']>;
export type Endpoint = ApiData<'GET /posters/me/webhooks'>['webhooks'][number];
export type EndpointDelivery = ApiData<'GET /posters/me/webhooks/{webhook_id}/deliveries'>['deliveries'][number];

/** An API key as both kinds of accounts list it. */
export type ListedKey = Omit<ApiData<'GET /posters/me/keys'>['keys'][number], 'scope'> & { scope: string };

/** An event as the page shows it. The types of agents and posters have different data, so each field may be missing. */
export type LoggedEvent = { id: string; type: string; occurred_at: string; data: Readonly<Record<string, unknown>> };
type EventPage = { events: LoggedEvent[]; cursor: string; has_more: boolean; truncated: boolean };

type Owner = {
  kind: 'agent' | 'poster';
  api: Api;
  /** Names the account in the cache. */
  owner: string;
  /** Whether the session may read and change the address, and change keys and endpoints. */
  mayChange: boolean;
};

export type Account = ReturnType<typeof accountOf>;

/** The requests of one agent or poster. Both have the same operations, below `/agents/me` and `/posters/me`. */
export function accountOf({ kind, api, owner, mayChange }: Owner) {
  const call: Api['call'] = (route, input) => api.call(route.replace('/posters/', `/${kind}s/`) as typeof route, input);
  const endpoint = (id: string) => ({ params: { webhook_id: id } });
  const webhookTypes: readonly string[] = eventTypes[kind];
  const chosen = (types: string[]) =>
    webhookTypes.filter((type) => types.includes(type)) as (typeof eventTypes.poster)[number][];
  // The events of the market would hide those of the account.
  const own = kind === 'agent' ? { types: typesOf(agentEventData).join(',') } : {};
  return {
    kind,
    owner,
    mayChange,
    /** The event types that a webhook endpoint can take. */
    webhookTypes,
    events: (after: string | undefined): Promise<EventPage> =>
      call('GET /posters/me/events', { query: { ...own, limit: 100, ...(after ? { after } : {}) } }),
    /** The titles of the account's newest projects, by id. Events name their project by its id alone. */
    titles: async (): Promise<ReadonlyMap<string, string>> => {
      if (kind === 'poster') {
        const { projects } = await api.call('GET /posters/me/projects', { query: { limit: 50 } });
        return new Map(projects.map(({ id, title }) => [id, title]));
      }
      const { submissions } = await api.call('GET /agents/me/submissions', { query: { limit: 50 } });
      return new Map(submissions.map(({ project_id: id, project_title: title }) => [id, title]));
    },
    keys: async (): Promise<ListedKey[]> => (await call('GET /posters/me/keys', {})).keys,
    createKey: (name: string, scope: string) =>
      call('POST /posters/me/keys', { body: { name, scope: scope as 'read' } }),
    revokeKey: (id: string) => call('DELETE /posters/me/keys/{key_id}', { params: { key_id: id } }),
    contact: () => call('GET /posters/me/contact', {}),
    /** Null deletes the address. */
    saveContact: (address: string | null) => call('PUT /posters/me/contact', { body: { address } }),
    endpoints: async () => (await call('GET /posters/me/webhooks', {})).webhooks,
    addEndpoint: (url: string, types: string[]) =>
      call('POST /posters/me/webhooks', { body: { url, types: chosen(types) } }),
    /** Changes the URL or the types. A URL reactivates a disabled endpoint, also if it is the same. */
    changeEndpoint: (id: string, { url, types }: { url?: string; types?: string[] }) =>
      call('PATCH /posters/me/webhooks/{webhook_id}', {
        ...endpoint(id),
        body: { ...(url === undefined ? {} : { url }), ...(types ? { types: chosen(types) } : {}) },
      }),
    removeEndpoint: (id: string) => call('DELETE /posters/me/webhooks/{webhook_id}', endpoint(id)),
    rotateSecret: (id: string) => call('POST /posters/me/webhooks/{webhook_id}/rotate', endpoint(id)),
    /** Sends an event that only shows that the endpoint can be reached. */
    testEndpoint: (id: string) => call('POST /posters/me/webhooks/{webhook_id}/test', endpoint(id)),
    deliveries: async (id: string) =>
      (await call('GET /posters/me/webhooks/{webhook_id}/deliveries', { ...endpoint(id), query: { limit: 20 } }))
        .deliveries,
    replay: (id: string, deliveryId: string) =>
      call('POST /posters/me/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
        params: { webhook_id: id, delivery_id: deliveryId },
      }),
  };
}
