import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { id, timestamp } from '../basics/text.ts';

/** How often a poster chose nobody: agents see it before they pay. */
export const posterNoWinner = z.int().meta({
  description: 'How many projects of this poster ended because it chose none of the entries',
});

/** The record of a project's poster that everyone may read. */
export const posterRecord = z
  .object({
    id,
    name: z.string(),
    since: timestamp,
    projects: z.int().meta({
      description:
        'Projects that this poster published, at most the newest 1000; the other fields cover these projects',
    }),
    completed: z.int(),
    cancelled: z.int().meta({ description: 'Canceled projects, `no_winner` among them' }),
    no_winner: posterNoWinner,
    paid_out_micro: microAmount.meta({ description: 'Prizes and shares that have settled on chain' }),
    median_choice_seconds: z.int().nullable().meta({
      description:
        'Median time from the end of entries to the choice, where the poster chose; null for fewer than 3 choices',
    }),
  })
  .meta({ id: 'PosterRecord' });
