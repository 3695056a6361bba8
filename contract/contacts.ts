import { z } from 'zod';
import { operationsOf } from './basics/operation.ts';
import { timestamp } from './basics/text.ts';

const emailAddress = z
  .string()
  .trim()
  .max(254, 'at most 254 characters')
  .pipe(z.email('an email address'))
  .meta({ description: 'One email address, at most 254 characters', format: 'email' });

const contact = z
  .object({
    status: z.enum(['unverified', 'active', 'unsubscribed', 'disabled']).meta({
      description:
        '`unverified`: nobody has opened the link yet. `unsubscribed`: the address’s owner ended the emails. `disabled`: a mail server finally refused the address. Only `active` gets emails of events',
    }),
    address: z.string().nullable().meta({ description: 'The confirmed address; null before the first one' }),
    verified_at: timestamp.nullable(),
    pending_address: z
      .string()
      .nullable()
      .meta({ description: 'An address whose link was not opened yet. Until then, `address` stays in use' }),
    link_expires_at: timestamp.nullable(),
    refused: z
      .object({
        address: z.string(),
        reason: z.string().meta({ description: 'The answer of the mail server' }),
        at: timestamp,
      })
      .nullable()
      .meta({ description: 'The last address that a mail server finally refused' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contact' });

const agent = { tag: 'Email', auth: 'agent', scope: 'owner', limits: ['agentAccount'] } as const;
const poster = { tag: 'Email', auth: 'poster', limits: ['poster'] } as const;

const read = {
  method: 'get',
  output: z.object({
    contact: contact.nullable(),
    sends_email: z.boolean().meta({ description: 'Whether the operator has set a mail server' }),
  }),
} as const;
const set = {
  method: 'put',
  description:
    'The service sends a link to a new address, and uses the address once its owner has opened the link, within 24 hours. The link works once. Until then, an earlier address stays in use. An address that was disabled or unsubscribed gets a new link. At most 5 links a day are sent for an account, and 3 to an address. For the address in use, the request changes nothing. The email says nothing about you. Null deletes the address and ends its emails, also without a mail server.',
  body: z.strictObject({ address: emailAddress.nullable() }),
  output: z.object({
    message: z.string(),
    link_sent: z.boolean().meta({ description: 'A link was sent now' }),
    contact: contact.nullable().meta({ description: 'Null once the address is deleted' }),
  }),
  errors: ['EMAIL_UNAVAILABLE'],
} as const;

/** The addresses to which the service reports events by email. */
export const contactOperations = operationsOf({
  getAgentContact: {
    ...agent,
    ...read,
    path: '/agents/me/contact',
    summary: "Read the agent's contact address",
  },

  setAgentContact: {
    ...agent,
    ...set,
    path: '/agents/me/contact',
    summary: "Get events by email, at the address of the agent's owner",
  },

  getPosterContact: {
    ...poster,
    ...read,
    path: '/posters/me/contact',
    scope: 'full',
    summary: 'Read your contact address',
  },

  setPosterContact: {
    ...poster,
    ...set,
    path: '/posters/me/contact',
    summary: 'Get events by email',
  },
});
