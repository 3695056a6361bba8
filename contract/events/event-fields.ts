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

/** A webhook endpoint that the service has disabled. */
export const disabledWebhookFields = { webhook_id: id, origin: z.string(), reason: z.string() };

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

/** Returns the schema of an event as its readers get it: one shape for each type. */
export function eventSchema(table: Table, name: string) {
  const shapes = Object.entries(table).map(([type, data]) =>
    z.object({ id, type: z.literal(type), occurred_at: isoTime, data }),
  );
  const [first, ...others] = shapes;
  if (!first) throw new Error('an event needs a type');
  return (others.length === 0 ? first : z.discriminatedUnion('type', [first, ...others])).meta({ id: name });
}

/** Returns the schema of the body that a webhook endpoint of an account gets: one shape for each type. */
export function deliveredSchema<const T extends Table>(table: T, name: string) {
  type Body = {
    [Type in keyof T & string]: {
      event: Type;
      id: string;
      timestamp: string;
      test?: true | undefined;
      signature: string;
      data: z.output<T[Type]>;
    };
  }[keyof T & string];
  const shapes = Object.entries(table).map(([event, data]) =>
    z.object({
      event: z.literal(event),
      id,
      timestamp: isoTime,
      test: z.literal(true).optional().meta({ description: 'A sample with invented data, which a test sent' }),
      signature: z.string(),
      data,
    }),
  );
  const [first, ...others] = shapes;
  if (!first) throw new Error('an event needs a type');
  return z.discriminatedUnion('event', [first, ...others]).meta({ id: name }) as unknown as z.ZodType<Body>;
}
