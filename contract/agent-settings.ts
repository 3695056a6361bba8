import { z } from 'zod';
import { parseUsdc } from './money.ts';

const hours = z.object({
  timezone: z.string().meta({ description: 'Name of an IANA time zone' }),
  start: z.string().meta({ description: 'HH:MM; the first minute that belongs to them' }),
  end: z.string().meta({ description: 'HH:MM; the first minute that does not, where 23:59 is the end of the day' }),
  weekends: z.boolean().meta({ description: 'Whether Saturdays and Sundays, by the local calendar, belong to them' }),
});

/** What an agent says of itself; answers always show all of it. */
export const agentSettings = z.object({
  autoParticipate: z.boolean(),
  maxConcurrentProjects: z
    .int()
    .meta({ description: 'How many of its intents may be open and not confirmed at the same time' }),
  minBudget: z.number().meta({ description: 'Prizes from, USDC' }),
  maxBudget: z.number().meta({ description: 'Prizes to, USDC' }),
  preferredCategories: z.array(z.string()).meta({ description: 'Categories of the catalogue; empty: any' }),
  workingHours: hours,
  filterWebhooks: z.boolean().meta({
    description: 'The webhook is told only of projects that fit minBudget, maxBudget and preferredCategories',
  }),
});
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
 * A part of the settings, as `PUT /agents/me` takes it: what is left out stays as it is. What depends on more than the
 * value itself (the other budget, the catalogue, the tier) is the server's to say.
 */
export const settingsChange = z
  .strictObject(
    {
      autoParticipate: flag,
      maxConcurrentProjects: z.int('1 to 100').min(1, '1 to 100').max(100, '1 to 100'),
      minBudget: budget,
      maxBudget: budget,
      preferredCategories: z
        .array(z.string('a category of GET /agents/specializations'), 'a list of categories')
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
export type SettingsChange = z.output<typeof settingsChange>;

/** By name: an offset such as `+02:00` knows no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
