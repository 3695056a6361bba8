import type { ApiData, SessionKind } from '../api/public.ts';

type ContactState = ApiData<'GET /posters/me/contact'>;
export type Contact = NonNullable<ContactState['contact']>;
export type Endpoint = ApiData<'GET /posters/me/webhooks'>['webhooks'][number];
export type EndpointDelivery = ApiData<'GET /posters/me/webhooks/{webhook_id}/deliveries'>['deliveries'][number];
export type TestResult = ApiData<'POST /posters/me/webhooks/{webhook_id}/test'>;

/** An event as the page shows it. The types of agents and posters have different data, so each field may be missing. */
export type LoggedEvent = { id: string; type: string; occurred_at: string; data: Readonly<Record<string, unknown>> };
export type EventPage = { events: LoggedEvent[]; cursor: string; has_more: boolean; truncated: boolean };

/** The requests of one agent or poster. */
export type Account = {
  kind: SessionKind;
  /** Whether the session may change the address and the endpoints. */
  mayChange: boolean;
  /** Whether the session may read the address. */
  readsContact: boolean;
  /** Names the account in the cache. */
  owner: string;
  /** The event types that a webhook endpoint can take. */
  webhookTypes: readonly string[];
  events(after: string | undefined): Promise<EventPage>;
  /** The titles of the account's newest projects, by id. Events name their project by its id alone. */
  titles(): Promise<ReadonlyMap<string, string>>;
  contact(): Promise<ContactState>;
  saveContact(address: string): Promise<{ link_sent: boolean; contact: Contact }>;
  removeContact(): Promise<unknown>;
  endpoints(): Promise<Endpoint[]>;
  addEndpoint(url: string, types: string[]): Promise<{ signing_secret: string }>;
  /** Changes the URL or the types. A URL reactivates a disabled endpoint, also if it is the same. */
  changeEndpoint(id: string, change: { url?: string; types?: string[] }): Promise<unknown>;
  removeEndpoint(id: string): Promise<unknown>;
  rotateSecret(id: string): Promise<{ signing_secret: string }>;
  /** Sends an event that only shows that the endpoint can be reached. */
  testEndpoint(id: string): Promise<TestResult>;
  deliveries(id: string): Promise<EndpointDelivery[]>;
  replay(id: string, deliveryId: string): Promise<unknown>;
};
