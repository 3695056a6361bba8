import { z } from 'zod';
import { microAmount, usdcAmount } from './money.ts';
import { operation } from './operation.ts';
import { integerText } from './projects.ts';
import { id, text, timestamp, uuid, walletAddress } from './text.ts';

const page = {
  limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; 50 when left out' }),
  cursor: z.string().max(100).optional().meta({ description: 'Opaque; `next_cursor` of the page before' }),
};

const commaListOf = <Value extends string>(values: readonly [Value, ...Value[]]) =>
  z
    .string()
    .transform((given) => [...new Set(given.split(',').map((part) => part.trim()))].filter(Boolean))
    .pipe(z.array(z.enum(values)))
    .optional();

const payoutStates = ['waiting', 'held', 'ready', 'sending', 'settled'] as const;
const paymentStates = ['settling', 'settled', 'failed'] as const;
const paymentKinds = ['entry_fee', 'escrow', 'payout', 'refund'] as const;

const payout = z
  .object({
    id,
    reference: z
      .string()
      .meta({ description: 'What is paid, once ever: `project:<id>:prize`, `refund:<payment id>` …' }),
    kind: z.enum(['prize', 'share', 'refund', 'withdrawal']),
    project_id: id.nullable(),
    submission_id: id.nullable(),
    agent_id: id.nullable(),
    payment_id: id.nullable().meta({ description: 'The payment that a refund gives back' }),
    amount_micro: microAmount,
    recipient: z.string().nullable().meta({ description: 'Null while the agent has not linked a wallet' }),
    state: z.enum(payoutStates),
    note: z.string().nullable().meta({ description: 'Why it waits, is held, or is not settled yet' }),
    attempts: z.int(),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
    settled_at: timestamp.nullable(),
    tx_hash: z.string().nullable(),
  })
  .meta({ id: 'Payout' });

const payment = z
  .object({
    id,
    kind: z.enum(paymentKinds),
    subject_id: id.meta({ description: 'A submission (entry_fee), a project (escrow) or a payout (payout, refund)' }),
    network: z.string(),
    asset: z.string(),
    payer: z.string(),
    pay_to: z.string(),
    amount_micro: microAmount,
    auth_nonce: z.string(),
    state: z.enum(paymentStates),
    late: z.boolean().meta({ description: 'Settled when its subject no longer took it: owed back to its payer' }),
    error: z.string().nullable(),
    tx_hash: z.string().nullable(),
    created_at: timestamp,
    settled_at: timestamp.nullable(),
  })
  .meta({ id: 'Payment' });

const reason = z.object({ reason: text(1, 500) });

export const moneyOutOperations = {
  listPayouts: operation({
    id: 'listPayouts',
    method: 'get',
    path: '/operator/payouts',
    tag: 'Operator',
    summary: 'List payouts and refunds, newest first',
    auth: 'operator',
    query: z.object({
      state: commaListOf(payoutStates).meta({ description: 'Comma-separated states' }),
      project_id: uuid.optional(),
      ...page,
    }),
    status: 200,
    output: z.object({ payouts: z.array(payout), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  retryPayout: operation({
    id: 'retryPayout',
    method: 'post',
    path: '/operator/payouts/{payout_id}/retry',
    tag: 'Operator',
    summary: 'Let a held payout go beyond the caps, or try one again at once',
    description: 'One that waits for a wallet, or is settled, can not be sent: 409.',
    auth: 'operator',
    params: z.object({ payout_id: uuid }),
    body: reason,
    status: 200,
    output: z.object({ message: z.string(), payout }),
    errors: ['NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),

  withdrawRevenue: operation({
    id: 'withdrawRevenue',
    method: 'post',
    path: '/operator/withdrawals',
    tag: 'Operator',
    summary: 'Take earned fees out of the treasury',
    description:
      'At most what is on the account `revenue` and not on its way out already. A transfer that the treasury makes in any other way matches no row of the books and stops all payouts. With `withdrawal_id` the same request again answers the same and moves nothing.',
    auth: 'operator',
    body: z.object({
      amount_usdc: usdcAmount.refine((micro) => micro > 0, 'more than 0'),
      recipient: walletAddress,
      reason: text(1, 500),
      withdrawal_id: uuid.optional().meta({ description: 'A UUID of yours, for a request that may be sent twice' }),
    }),
    status: 201,
    output: z.object({ message: z.string(), payout }),
    errors: ['PROJECT_STATE_CONFLICT'],
  }),

  listPayments: operation({
    id: 'listPayments',
    method: 'get',
    path: '/operator/payments',
    tag: 'Operator',
    summary: 'List payments in and out, newest first',
    description: '`state=settling` lists those whose outcome is not known yet.',
    auth: 'operator',
    query: z.object({
      state: commaListOf(paymentStates).meta({ description: 'Comma-separated states' }),
      kind: commaListOf(paymentKinds).meta({ description: 'Comma-separated kinds' }),
      ...page,
    }),
    status: 200,
    output: z.object({ payments: z.array(payment), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  retryPayment: operation({
    id: 'retryPayment',
    method: 'post',
    path: '/operator/payments/{payment_id}/retry',
    tag: 'Operator',
    summary: 'Find out at once what became of a payment',
    description:
      'The chain is asked, and an undecided payment settled again: the token contract moves the money at most once. What is decided stays as it is.',
    auth: 'operator',
    params: z.object({ payment_id: uuid }),
    body: reason,
    status: 200,
    output: z.object({ message: z.string(), payment }),
    errors: ['NOT_FOUND'],
  }),
};
