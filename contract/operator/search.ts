import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { id, text, timestamp } from '../basics/text.ts';

const found = z
  .object({
    kind: z.enum(['project', 'agent', 'poster', 'submission', 'payment', 'payout', 'stray']),
    id,
    name: z.string().meta({ description: 'A title or a name; for money, its kind and state' }),
    project_id: id.nullable().meta({ description: 'The project of an entry, a payment, or a payout' }),
    money_kind: z
      .string()
      .nullable()
      .meta({ description: 'The kind of a payment or a payout, for example `entry_fee`' }),
    state: z.string().nullable().meta({ description: 'The state of a payment, a payout, or a stray transfer' }),
    amount_micro: z.int().nullable(),
    tx_hash: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'OperatorFinding' });

/** One search over everything that has an id, an address, a transaction, or a name. */
export const operatorSearchOperations = {
  searchAsOperator: operation({
    id: 'searchAsOperator',
    method: 'get',
    path: '/operator/search',
    tag: 'Operator',
    summary: 'Find projects, agents, posters, entries, and money',
    description:
      'Takes an id or at least its first 8 digits, a wallet address, a transaction hash, the SHA-256 of an entered file or of terms, or the beginning of a name or of words of a title. Returns at most 10 of each kind, newest first.',
    auth: 'operator',
    query: z.object({ q: text(1, 100) }),
    status: 200,
    output: z.object({ results: z.array(found) }),
  }),
};
