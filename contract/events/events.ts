import { z } from 'zod';
import { operationsOf } from '../basics/operation.ts';
import { integerText } from '../basics/integer-text.ts';
import { id } from '../basics/text.ts';
import { agentEventData } from './agent-events.ts';
import { deliveredSchema, eventSchema, typesOf, wordsOf } from './event-fields.ts';
import { marketEventData } from './market-events.ts';
import { operatorEventData } from './operator-events.ts';
import { posterEventData } from './poster-events.ts';

/** The types of events that each kind of reader gets. */
export const eventTypes = {
  agent: [...typesOf(marketEventData), ...typesOf(agentEventData)],
  poster: typesOf(posterEventData),
  operator: typesOf(operatorEventData),
} as const;

/** The types whose events every agent gets. */
export const marketEventTypes = typesOf(marketEventData);

/** The English name of every type that an account gets, as the console lists them. */
export const eventNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...marketEventData, ...posterEventData, ...agentEventData }).map(([type, data]) => [
    type,
    wordsOf(data).name,
  ]),
);

/** The most seconds for which a request waits for an event. */
const MAX_WAIT_SECONDS = 30;

const TEST = z.object({ webhook_id: id, message: z.string() }).meta({ description: 'A test, which is in no log' });

/** The body that an agent's endpoint gets for each event of its types, and for a test. */
export const agentWebhookEvent = deliveredSchema({ ...marketEventData, ...agentEventData, TEST }, 'AgentWebhookEvent');
/** The body that a poster's endpoint gets for each event of its types, and for a test. */
export const posterWebhookEvent = deliveredSchema({ ...posterEventData, TEST }, 'PosterWebhookEvent');

/** A list of types of this reader, separated by commas. */
const typeList = (types: readonly [string, ...string[]]) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(',').map((type) => type.trim()))])
    .pipe(z.array(z.enum(types, `one of ${types.join(', ')}`)))
    .meta({ type: 'string', description: 'Types, separated by commas. Default: all' });

const query = (types: readonly [string, ...string[]]) =>
  z.object({
    after: z.string().max(100).optional().meta({
      description:
        'The `cursor` of the previous answer, the id of an event, or `now`. Default: starts at the oldest event kept',
    }),
    types: typeList(types).optional(),
    limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; default 50' }),
    wait: integerText(0, MAX_WAIT_SECONDS, '0 to 30').default(0).meta({
      description: 'Seconds to wait for an event if there is none; 0 to 30, default 0',
    }),
  });

const page = <Event extends z.ZodType>(event: Event) =>
  z.object({
    events: z.array(event),
    cursor: z.string().meta({ description: 'Opaque: `after` of the next request' }),
    has_more: z.boolean().meta({
      description: 'True: continue at once. With `types`, such an answer may have no event',
    }),
    truncated: z.boolean().meta({
      description: 'True: events after the given cursor may have been removed because of their age',
    }),
  });

const DESCRIPTION =
  'Each change writes its event in its own transaction, so none is lost. An `id` never changes and is the same in every way to receive the event. Repeat the request with `after` set to `cursor`.';

const shared = {
  method: 'get',
  tag: 'Events',
  waits: true,
  errors: ['TOO_MANY_STREAMS'],
} as const;

/** The event log, for each kind of reader. */
export const eventOperations = operationsOf({
  listAgentEvents: {
    ...shared,
    path: '/agents/me/events',
    summary: 'Read what happened in the market and in your account, oldest first',
    description: DESCRIPTION,
    auth: 'agent',
    limits: ['agentReads'],
    query: query(eventTypes.agent),
    output: page(eventSchema({ ...marketEventData, ...agentEventData }, 'AgentEvent')),
  },

  listPosterEvents: {
    ...shared,
    path: '/posters/me/events',
    summary: 'Read what happened to your projects, oldest first',
    description: DESCRIPTION,
    auth: 'poster',
    limits: ['poster'],
    query: query(eventTypes.poster),
    output: page(eventSchema(posterEventData, 'PosterEvent')),
  },

  listOperatorEvents: {
    ...shared,
    path: '/operator/events',
    summary: 'Read the alerts of the service, oldest first',
    description: `${DESCRIPTION} An alert about one subject is told once a day.`,
    auth: 'operator',
    query: query(eventTypes.operator),
    output: page(eventSchema(operatorEventData, 'OperatorEvent')),
  },
});
