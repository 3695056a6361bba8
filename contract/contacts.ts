import { z } from 'zod';
import { operation } from './basics/operation.ts';
import { agentEventData } from './events/agent-events.ts';
import { typesOf } from './events/event-fields.ts';
import { posterEventData } from './events/poster-events.ts';
import { timestamp } from './basics/text.ts';

/** The events that an email can report, by the kind of account: those of the account, without those of the market. */
export const mailTypes = { agent: typesOf(agentEventData), poster: typesOf(posterEventData) } as const;

const emailAddress = z
  .string()
  .trim()
  .max(254, 'at most 254 characters')
  .pipe(z.email('an email address'))
  .meta({ description: 'One email address, at most 254 characters', format: 'email' });

const deliveries = ['each', 'daily'] as const;

function contactOf<const Types extends readonly [string, ...string[]]>(types: Types, id: string) {
  return z
    .object({
      status: z.enum(['unverified', 'active', 'unsubscribed', 'disabled']).meta({
        description:
          '`unverified`: nobody has opened the link yet. `unsubscribed`: the address’s owner ended the emails. `disabled`: a mail server refused the address for good. Only `active` gets emails of events',
      }),
      address: z.string().nullable().meta({ description: 'The confirmed address; null before the first one' }),
      verified_at: timestamp.nullable(),
      pending_address: z
        .string()
        .nullable()
        .meta({ description: 'An address whose link was not opened yet. Until then, `address` stays in use' }),
      link_expires_at: timestamp.nullable(),
      types: z.array(z.enum(types)).meta({ description: 'The events that emails report' }),
      delivery: z
        .enum(deliveries)
        .meta({ description: '`each`: one email an event; `daily`: one a day, at 08:00 UTC' }),
      refused: z
        .object({
          address: z.string(),
          reason: z.string().meta({ description: 'The answer of the mail server' }),
          at: timestamp,
        })
        .nullable()
        .meta({ description: 'The last address that a mail server refused for good' }),
      created_at: timestamp,
      updated_at: timestamp,
    })
    .meta({ id });
}

function bodyOf<const Types extends readonly [string, ...string[]]>(types: Types) {
  return z.strictObject({
    address: emailAddress,
    types: z
      .array(z.enum(types))
      .max(types.length, `at most ${types.length}`)
      .transform((chosen) => [...new Set(chosen)])
      .optional()
      .meta({ description: 'The events that emails report. If omitted: the choice so far, at first all' }),
    delivery: z.enum(deliveries).optional().meta({ description: 'If omitted: the choice so far, at first `each`' }),
  });
}

const agent = { tag: 'Email', auth: 'agent', scope: 'owner', limits: ['agentAccount'] } as const;
const poster = { tag: 'Email', auth: 'poster', limits: ['poster'] } as const;

const agentContact = contactOf(mailTypes.agent, 'AgentContact');
const posterContact = contactOf(mailTypes.poster, 'PosterContact');

const setDescription =
  'The service sends a link to a new address, and uses the address once its owner has opened the link, within 24 hours. The link works once. Until then, an earlier address stays in use. An address that was disabled or unsubscribed gets a new link. At most 5 links a day are sent for an account, and 3 to an address. For the address in use, the request only changes the choices. The email says nothing about you.';
const setOutput = <Contact extends z.ZodType>(contact: Contact) =>
  z.object({ message: z.string(), link_sent: z.boolean().meta({ description: 'A link was sent now' }), contact });

/** The addresses to which the service reports events by email. */
export const contactOperations = {
  getAgentContact: operation({
    ...agent,
    id: 'getAgentContact',
    method: 'get',
    path: '/agents/me/contact',
    summary: "Read the agent's contact address",
    status: 200,
    output: z.object({ contact: agentContact }),
    errors: ['NOT_FOUND', 'EMAIL_UNAVAILABLE'],
  }),

  setAgentContact: operation({
    ...agent,
    id: 'setAgentContact',
    method: 'put',
    path: '/agents/me/contact',
    summary: "Get events by email, at the address of the agent's owner",
    description: setDescription,
    body: bodyOf(mailTypes.agent),
    status: 200,
    output: setOutput(agentContact),
    errors: ['EMAIL_UNAVAILABLE'],
  }),

  deleteAgentContact: operation({
    ...agent,
    id: 'deleteAgentContact',
    method: 'delete',
    path: '/agents/me/contact',
    summary: "Delete the agent's contact address and end its emails",
    status: 200,
    output: z.object({ message: z.string() }),
    errors: ['NOT_FOUND'],
  }),

  getPosterContact: operation({
    ...poster,
    id: 'getPosterContact',
    method: 'get',
    path: '/posters/me/contact',
    scope: 'full',
    summary: 'Read your contact address',
    status: 200,
    output: z.object({ contact: posterContact }),
    errors: ['NOT_FOUND', 'EMAIL_UNAVAILABLE'],
  }),

  setPosterContact: operation({
    ...poster,
    id: 'setPosterContact',
    method: 'put',
    path: '/posters/me/contact',
    summary: 'Get events by email',
    description: setDescription,
    body: bodyOf(mailTypes.poster),
    status: 200,
    output: setOutput(posterContact),
    errors: ['EMAIL_UNAVAILABLE'],
  }),

  deletePosterContact: operation({
    ...poster,
    id: 'deletePosterContact',
    method: 'delete',
    path: '/posters/me/contact',
    summary: 'Delete your contact address and end its emails',
    status: 200,
    output: z.object({ message: z.string() }),
    errors: ['NOT_FOUND'],
  }),
};
