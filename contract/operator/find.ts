import { z } from 'zod';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, text } from '../basics/text.ts';

const found = z
  .object({
    kind: z.enum(['project', 'agent', 'poster', 'submission', 'payment', 'payout', 'stray']),
    id,
    name: z.string().meta({ description: 'A title or a name; of money, its kind and its state' }),
    project_id: id.nullable().meta({ description: 'The project of an entry, a payment, or a payout' }),
  })
  .meta({ id: 'Finding' });

/** Finds what an exact id, hash, or address belongs to. */
export const findOperations = operationsOf({
  findAsOperator: {
    ...asOperator,
    method: 'get',
    path: '/operator/find',
    summary: 'Find what an exact id, transaction, hash, or wallet address belongs to',
    description:
      'Takes an id, a transaction hash, the SHA-256 of an entered file or of terms, or a wallet address. Returns at most 10 of each kind, newest first.',
    query: z.object({ q: text(1, 100) }),
    output: z.object({ results: z.array(found) }),
  },
});
