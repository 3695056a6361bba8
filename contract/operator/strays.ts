import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, timestamp, uuid } from '../basics/text.ts';
import { payout, reason } from './money-out.ts';
import { parties } from '../basics/parties.ts';
import { amounts, listQuery, pageEnd, someOf } from '../basics/lists.ts';

const strayStates = ['unclaimed', 'claimed', 'returned'] as const;

const stray = z
  .object({
    id,
    sender: z
      .string()
      .nullable()
      .meta({ description: 'Null if it is not known: minted USDC, and what the treasury held before its first check' }),
    amount_micro: microAmount,
    tx_hash: z.string().nullable(),
    block: z.int(),
    recorded_at: timestamp,
    state: z.enum(strayStates).meta({
      description:
        '`unclaimed`: belongs to no payment. `claimed`: turned out to be a payment that was presented later. `returned`: owed back to its sender, see `payout`',
    }),
    payment_id: id.nullable().meta({ description: 'The payment that claimed it' }),
    payout: payout.nullable().meta({ description: 'The payout that gives it back' }),
  })
  .meta({ id: 'Stray' });

/** USDC that reached the treasury and belongs to no payment. */
export const strayOperations = operationsOf({
  listStrays: {
    ...asOperator,
    method: 'get',
    path: '/operator/strays',
    summary: 'List USDC that reached the treasury without a payment, newest first',
    description: 'The hourly ledger check finds stray transfers once their block is final.',
    query: z.object({ state: someOf(strayStates), ...listQuery, ...amounts }),
    output: z.object({
      strays: z.array(stray.extend({ parties }).meta({ id: 'ListedStray' })),
      ...pageEnd,
    }),
  },

  returnStray: {
    ...asOperator,
    method: 'post',
    path: '/operator/strays/{stray_id}/return',
    summary: 'Give a stray transfer back to its sender',
    description:
      'Owes the amount to the sender and pays it like any other payout. Repeating the request returns the same payout and moves no money. Returns 409 if the sender is not known, or if a payment has claimed the transfer. Returned money can no longer pay for anything.',
    params: z.object({ stray_id: uuid }),
    body: reason,
    output: z.object({ message: z.string(), stray }),
    errors: ['NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
