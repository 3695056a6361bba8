import { z } from 'zod';

/** The days of a list, by UTC. */
export const days = {
  from: z.iso.date('a date: YYYY-MM-DD').optional().meta({ description: 'The first UTC day' }),
  to: z.iso.date('a date: YYYY-MM-DD').optional().meta({ description: 'The last UTC day, inclusive' }),
};
