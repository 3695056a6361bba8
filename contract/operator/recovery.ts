import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { parties } from '../basics/parties.ts';
import { text } from '../basics/text.ts';

const transfer = z
  .object({
    tx_hash: z.string(),
    log_index: z.int(),
    block: z.int(),
    direction: z.enum(['in', 'out']),
    wallet: z.string(),
    amount_micro: microAmount,
    outcome: z.enum(['booked', 'returned', 'unknown']).meta({ description: '`unknown` and `out`: adopt it' }),
    subject: z.string().nullable().meta({ description: 'For example `payout:<id>`' }),
    note: z.string().nullable(),
    parties: parties.meta({ description: 'Of the subject' }),
  })
  .meta({ id: 'RecoveredTransfer' });

/** Recovery of a database that is older than the chain. */
export const recoveryOperations = operationsOf({
  recover: {
    ...asOperator,
    method: 'post',
    path: '/operator/recovery',
    summary: 'Book the transfers that the database lost',
    description: 'Moves no money. Safe to repeat.',
    body: z.object({
      dry_run: z.boolean().meta({ description: 'Only report' }),
      until_block: z.int().min(0).optional(),
    }),
    output: z.object({
      message: z.string(),
      dry_run: z.boolean(),
      from_block: z.int(),
      until_block: z.int(),
      transfers: z.array(transfer).meta({ description: 'At most 1,000' }),
      booked: z.int(),
      returned: z.int(),
      unknown: z.int(),
      problems: z.array(z.string()).nullable(),
      recovered_until: z.int().nullable().meta({ description: 'Null: not recovered yet' }),
    }),
  },

  adoptTransfer: {
    ...asOperator,
    method: 'post',
    path: '/operator/recovery/adopt',
    summary: 'Book an unknown transfer out of the treasury to the account `unexplained`',
    body: z.object({
      tx_hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a transaction hash'),
      log_index: z.int().min(0),
      reason: text(1, 500),
    }),
    output: z.object({ message: z.string() }),
    errors: ['NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
