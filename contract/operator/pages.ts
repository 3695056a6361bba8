import { z } from 'zod';
import { days } from '../basics/days.ts';
import { usdcBound } from '../basics/money.ts';
import { integerText } from '../projects/projects.ts';

/** The page of a list. */
export const page = {
  limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; default 50' }),
  cursor: z.string().max(100).optional().meta({ description: 'Opaque: `next_cursor` of the previous page' }),
};

/** The days and the amounts of a list of money. */
export const moneyRange = {
  ...days,
  min_usdc: usdcBound.optional(),
  max_usdc: usdcBound.optional(),
};
