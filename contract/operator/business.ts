import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';

/** The business in numbers. The overview has the state of the machine. */
export const businessOperations = {
  getBusiness: operation({
    id: 'getBusiness',
    method: 'get',
    path: '/operator/business',
    tag: 'Operator',
    summary: 'Read take-up, time to choose, and registrations',
    description: 'Counts what was created in the last `days` UTC days, today included.',
    auth: 'operator',
    query: z.object({
      days: z
        .enum(['7', '30', '90'], '7, 30 or 90')
        .default('30')
        .transform(Number)
        .meta({ description: '7, 30 or 90; default 30' }),
    }),
    status: 200,
    output: z
      .object({
        take_up: z.object({
          projects: z.int().meta({ description: 'Published projects' }),
          entered: z.int().meta({ description: 'Those with at least one entry' }),
          entries: z.int(),
          prizes_micro: microAmount,
        }),
        choice: z.object({
          awarded: z.int(),
          by_poster: z.int().meta({ description: 'Awards that the poster chose' }),
          median_seconds: z
            .int()
            .nullable()
            .meta({ description: 'From the end of entries to the choice of the poster; null below 3 choices' }),
        }),
        registrations: z.array(
          z.object({ date: z.string().meta({ format: 'date' }), agents: z.int(), posters: z.int() }),
        ),
      })
      .meta({ id: 'Business' }),
  }),
};
