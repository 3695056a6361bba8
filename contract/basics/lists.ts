import { z } from 'zod';
import { usdcBound } from './money.ts';
import { integerText } from './integer-text.ts';

const TIME = 'a date (YYYY-MM-DD, UTC) or an ISO 8601 date-time with its zone';
const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], TIME)
  .transform((value) => new Date(value))
  .optional();

/** Different texts, separated by commas. */
export const commaList = z
  .string()
  .transform((given) => [...new Set(given.split(',').map((part) => part.trim()))].filter(Boolean));

/** One or more of these values, separated by commas. */
export const someOf = <const Value extends string>(values: readonly Value[]) =>
  commaList
    .pipe(z.array(z.enum(values)))
    .optional()
    .meta({ description: 'Separated by commas' });

/** The size of a page, and where it begins. */
export const pageQuery = (most: number, usual: number) => ({
  limit: integerText(1, most, `1 to ${most}`)
    .default(usual)
    .meta({ description: `1 to ${most}; default ${usual}` }),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Opaque: the `next_cursor` that the previous page returned; keep the filters' }),
});

/** The query of every list of the operator. Lists with states also have `state`. */
export const listQuery = {
  since: time.meta({ description: 'Rows from this time on: a UTC day or an ISO 8601 date-time' }),
  before: time.meta({ description: 'Rows before this time: a UTC day or an ISO 8601 date-time' }),
  ...pageQuery(100, 50),
};

/** The bounds of a list of money. */
export const amounts = { min_usdc: usdcBound.optional(), max_usdc: usdcBound.optional() };

/** The end of every page. */
export const pageEnd = { has_more: z.boolean(), next_cursor: z.string().nullable() };
