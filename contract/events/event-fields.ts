import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { id } from '../basics/text.ts';

/** A time inside an event, as the log keeps it: ISO 8601 in UTC. */
export const isoTime = z.string().meta({ format: 'date-time' });

/** The entry that an event is about. */
export const entryFields = { project_id: id, submission_id: id };

/** A transfer that settled. */
export const transferFields = {
  payout_id: id,
  project_id: id,
  amount_micro: microAmount,
  recipient: z.string().meta({ description: 'The address that got the money' }),
  tx_hash: z
    .string()
    .nullable()
    .meta({ description: 'Null: the amount is below the smallest transfer and goes to the wallet with a later one' }),
};

/** Says in an email that money arrived. */
export const arrived = (what: string, said: Said<typeof transferFields>): string =>
  `${what} ${said.amount_micro} arrived at ${said.recipient}.${said.tx_hash === '' ? '' : ` The transaction is ${said.tx_hash}.`}`;

/** The members of an event's data as an email says them: amounts with their unit, times, and inert texts; `''` for nothing. */
type Said<Shape extends z.ZodRawShape> = { readonly [Field in keyof Shape]: string };
type Letter = { subject: string; text: string };

/** An event in the words that people read. */
export type EventWords<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  /** The sentence of the reference. */
  means: string;
  /** Its English name in lists of the console. Other languages have theirs in `console/messages/`. */
  name: string;
  /** The email to the owner of the account. Without it, the event is one on which nobody has to act. */
  email?: (said: Said<Shape>) => Letter;
};

const words = new Map<z.ZodObject, EventWords>();

/** Declares a type of events: the members of its data, and its words. */
export function event<Shape extends z.ZodRawShape>(shape: Shape, told: EventWords<Shape>): z.ZodObject<Shape> {
  const data = z.object(shape).meta({ description: told.means });
  words.set(data, told as EventWords);
  return data;
}

/** Returns the words of a type. */
export function wordsOf(data: z.ZodObject): EventWords {
  const told = words.get(data);
  if (!told) throw new Error('an event is declared with `event`');
  return told;
}

/** A text that a person wrote, marked as such. Nothing if there is none. */
export const quoted = (label: string, text: string): string => (text === '' ? '' : ` ${label}: “${text}”`);

/** A webhook endpoint that the service has disabled. */
export const disabledWebhook = event(
  { webhook_id: id, origin: z.string(), reason: z.string() },
  {
    means: 'The service no longer sends to this endpoint',
    name: 'Webhook disabled',
    email: ({ origin, reason }) => ({
      subject: 'A webhook endpoint was disabled',
      text: `The service no longer sends to your endpoint at ${origin}.${quoted('Reason', reason)}`,
    }),
  },
);

const keyFields = <Scope extends string>(scopes: readonly [Scope, ...Scope[]]) => ({
  key_id: z.string(),
  name: z.string().nullable(),
  scope: z.enum(scopes),
});

/** A key of an account was created. */
export const keyCreated = <Scope extends string>(scopes: readonly [Scope, ...Scope[]]) =>
  event(keyFields(scopes), {
    means: 'You have a further key',
    name: 'Key created',
    email: ({ name, scope }) => ({
      subject: 'A key was created',
      text: `A new API key with scope ${scope} was created.${quoted('Name', name)} If this was not you, revoke it now.`,
    }),
  });

/** A key of an account was revoked. */
export const keyRevoked = <Scope extends string>(scopes: readonly [Scope, ...Scope[]]) =>
  event(keyFields(scopes), {
    means: 'A key was revoked',
    name: 'Key revoked',
    email: ({ name }) => ({ subject: 'A key was revoked', text: `An API key was revoked.${quoted('Name', name)}` }),
  });

/** The types of a table of data, as in `agentEventData`. */
type Table = Readonly<Record<string, z.ZodObject>>;

/** An event of one of the types, before it has an id and a time. */
export type EventOf<T extends Table> = {
  [Type in keyof T & string]: { type: Type; data: z.input<T[Type]> };
}[keyof T & string];

/** Returns the names of the types in a table. */
export function typesOf<T extends Table>(table: T): [keyof T & string, ...(keyof T & string)[]] {
  return Object.keys(table) as [keyof T & string, ...(keyof T & string)[]];
}

function oneOf<Shape extends z.ZodObject>(key: string, [first, ...others]: Shape[]) {
  if (!first) throw new Error('an event needs a type');
  return others.length === 0 ? first : z.discriminatedUnion(key, [first, ...others]);
}

/** Returns the schema of an event as its readers get it: one shape for each type. */
export function eventSchema(table: Table, name: string) {
  const shapes = Object.entries(table).map(([type, data]) =>
    z.object({ id, type: z.literal(type), occurred_at: isoTime, data }),
  );
  return oneOf('type', shapes).meta({ id: name });
}

/** Returns the schema of the body that a webhook endpoint of an account gets: one shape for each type. */
export function deliveredSchema<const T extends Table>(table: T, name: string) {
  type Body = {
    [Type in keyof T & string]: {
      event: Type;
      id: string;
      timestamp: string;
      signature: string;
      data: z.output<T[Type]>;
    };
  }[keyof T & string];
  const shapes = Object.entries(table).map(([type, data]) =>
    z.object({ event: z.literal(type), id, timestamp: isoTime, signature: z.string(), data }),
  );
  return oneOf('event', shapes).meta({ id: name }) as unknown as z.ZodType<Body>;
}
