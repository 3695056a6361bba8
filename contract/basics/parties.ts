import { z } from 'zod';
import { id } from './text.ts';

const party = z.object({ id, name: z.string() }).nullable();

/** For whom and from whom the money is, as far as that is known. */
export const parties = z
  .object({ project: party.meta({ description: '`name` is its title' }), agent: party, poster: party })
  .meta({ id: 'MoneyParties' });
