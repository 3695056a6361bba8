import { z } from 'zod';
import { timestamp } from './text.ts';

/** The intents of a UTC day, as the agent's tier allows them. */
export const dailyQuota = z
  .object({ limit: z.int(), used: z.int(), left: z.int(), resets_at: timestamp })
  .meta({ description: 'The intents of this UTC day that your tier allows' });
