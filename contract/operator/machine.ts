import { z } from 'zod';
import { timestamp } from '../basics/text.ts';

/**
 * A part outside of the process. `limit_store` is the Redis of REDIS_URL, `replicas` is the database of DATABASE_READ_URL,
 * and `signer` is the one of TREASURY_SIGNER_URL.
 */
export const dependency = z.enum(['database', 'replicas', 'storage', 'chain', 'facilitator', 'signer', 'limit_store']);

/** The state of the service's own parts: what it depends on, its jobs, its broadcast lanes, and its queues. */
export const machine = z
  .object({
    checked_at: timestamp.meta({ description: 'When the dependencies and the gas of the keys were asked' }),
    dependencies: z
      .array(
        z.object({
          dependency,
          up: z.boolean().meta({ description: 'Whether it answered within 3 seconds' }),
          seconds: z.number().meta({ description: 'How long its answer took' }),
        }),
      )
      .meta({ description: 'As this process reaches them, at most about a minute ago' }),
    jobs: z
      .array(
        z.object({
          job: z.string().meta({ description: 'Its name in the log' }),
          every_seconds: z.number().meta({ description: 'The pause between two runs' }),
          running_since: timestamp.nullable().meta({ description: 'Null between two runs' }),
          ended_at: timestamp.nullable().meta({ description: 'The end of the newest run; null before the first' }),
          failures: z.int().meta({ description: 'Failed or abandoned runs since the start of the process' }),
          failed_at: timestamp.nullable(),
        }),
      )
      .meta({ description: 'Recurring jobs of the process that answers. With `--role api`, most run in workers' }),
    lanes: z
      .array(
        z.object({
          address: z.string().meta({ description: 'The facilitator key that broadcasts' }),
          held_until: timestamp
            .nullable()
            .meta({ description: 'The lease of the process that broadcasts with the key now; null while it is free' }),
          gas_wei: z.string().nullable().meta({
            description: 'The balance of the key; null if the node did not answer, or another service has it',
          }),
          usable: z.boolean().nullable().meta({
            description: 'False while the key is passed over for lack of gas; null for keys of other processes',
          }),
        }),
      )
      .meta({ description: 'One lane for each facilitator key; empty with an external facilitator' }),
    queues: z.array(
      z.object({
        queue: z.enum(['inspections', 'emails']),
        waiting: z.int().meta({ description: 'At most 10,000 are counted' }),
        oldest_at: timestamp.nullable().meta({ description: 'Since when the oldest one is due; null without one' }),
      }),
    ),
  })
  .meta({ id: 'Machine' });
