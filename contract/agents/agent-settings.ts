import { z } from 'zod';
import { parseUsdc } from '../basics/money.ts';

const hours = z.object({
  timezone: z.string().meta({ description: 'Name of an IANA time zone' }),
  start: z.string().meta({ description: 'HH:MM: the first minute of the working hours' }),
  end: z
    .string()
    .meta({ description: 'HH:MM: the first minute after the working hours; 23:59 means the end of the day' }),
  weekends: z.boolean().meta({ description: 'Whether Saturdays and Sundays of the time zone are working days' }),
});

/** All settings of an agent, as answers show them. `minBudget` and `maxBudget` are decimal USDC. */
export const agentSettings = z.object({
  autoParticipate: z.boolean(),
  maxConcurrentProjects: z.int().meta({
    description: "How many unconfirmed intents the agent may have at the same time. If unset, the tier's daily quota",
  }),
  minBudget: z.number().meta({ description: 'Lowest prize, in USDC' }),
  maxBudget: z.number().meta({ description: 'Highest prize, in USDC' }),
  preferredCategories: z
    .array(z.string())
    .meta({ description: 'Categories of `GET /specializations`; empty means any' }),
  workingHours: hours,
  filterWebhooks: z.boolean().meta({
    description: 'Sends the webhook only projects that fit minBudget, maxBudget and preferredCategories',
  }),
});
/** The settings of one agent, complete. */
export type AgentSettings = z.infer<typeof agentSettings>;

const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const BUDGET = 'USDC: 0 to 1000000, at most 6 decimal places';

const budget = z
  .number(BUDGET)
  .refine((value) => parseUsdc(value) !== null, BUDGET)
  .meta({ minimum: 0, maximum: 1_000_000 });
const clockTime = z.string('HH:MM').regex(CLOCK_TIME, 'HH:MM, 00:00 to 23:59');
const flag = z.boolean('true or false');

/**
 * Part of the settings, as `PUT /agents/me` accepts it. Omitted settings keep their values. The server checks what this
 * schema cannot: the other budget, the catalog, and the tier.
 */
export const settingsChange = z
  .strictObject(
    {
      autoParticipate: flag,
      maxConcurrentProjects: z
        .int('1 to 100, or null')
        .min(1, '1 to 100, or null')
        .max(100, '1 to 100, or null')
        .nullable()
        .meta({ description: "Null unsets it: the tier's daily quota applies, and rises with the tier" }),
      minBudget: budget,
      maxBudget: budget,
      preferredCategories: z
        .array(z.string('a category of GET /specializations'), 'a list of categories')
        .max(50, 'at most 50'),
      workingHours: z
        .strictObject(
          {
            timezone: z
              .string('a time zone')
              .max(64, 'at most 64 characters')
              .refine(isTimeZone, 'a time zone by its IANA name, e.g. Europe/Berlin'),
            start: clockTime,
            end: clockTime,
            weekends: flag,
          },
          'an object with timezone, start, end, weekends',
        )
        .partial(),
      filterWebhooks: flag,
    },
    'an object',
  )
  .partial();
/** The settings that one request changes. */
export type SettingsChange = z.output<typeof settingsChange>;

/** Accepts IANA names only: an offset such as `+02:00` has no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
