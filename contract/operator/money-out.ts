import { z } from 'zod';
import { microAmount, usdcAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { parties } from '../basics/parties.ts';
import { amounts, listQuery, pageEnd, someOf } from '../basics/lists.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';

const payoutStates = ['waiting', 'held', 'ready', 'refused', 'credited', 'sending', 'settled'] as const;
const paymentStates = ['settling', 'settled', 'failed'] as const;
const paymentKinds = ['entry_fee', 'escrow', 'payout', 'refund'] as const;
const revenueKinds = ['platform_fee', 'entry_fees', 'fee_kept', 'withdrawal', 'other'] as const;

export const payout = z
  .object({
    id,
    reference: z.string().meta({
      description: 'Unique key of what is paid, so that it is paid once: `project:<id>:prize`, `refund:<payment id>` …',
    }),
    kind: z
      .enum(['prize', 'share', 'refund', 'withdrawal', 'return'])
      .meta({ description: '`return` gives a stray transfer back to its sender' }),
    project_id: id.nullable(),
    submission_id: id.nullable(),
    agent_id: id.nullable(),
    payment_id: id.nullable().meta({ description: 'The payment that a refund returns' }),
    amount_micro: microAmount,
    recipient: z.string().nullable().meta({ description: 'Null while the agent has not linked a wallet' }),
    state: z.enum(payoutStates).meta({
      description:
        '`credited`: too small for a transfer. The ledger owes it to the wallet, and the next transfer to the wallet carries it along',
    }),
    held_until: timestamp
      .nullable()
      .meta({ description: 'When a payout that a daily cap holds resumes by itself; null if only you can release it' }),
    note: z.string().nullable().meta({ description: 'Why the payout waits, is held, or is not settled yet' }),
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
    late: z
      .boolean()
      .meta({ description: 'Whether the payment settled too late for its subject, so that the payer gets it back' }),
    error: z.string().nullable(),
    tx_hash: z.string().nullable(),
    created_at: timestamp,
    settled_at: timestamp.nullable(),
  })
  .meta({ id: 'Payment' });

export const reason = z.object({ reason: text(1, 500) });

/** Payouts, refunds, withdrawals and payments, for the operator. */
export const moneyOutOperations = operationsOf({
  listPayouts: {
    ...asOperator,
    method: 'get',
    path: '/operator/payouts',
    summary: 'List payouts and refunds, newest first',
    query: z.object({
      state: someOf(payoutStates),
      project_id: uuid.optional(),
      agent_id: uuid.optional().meta({ description: 'Only payouts for entries of this agent' }),
      poster_id: uuid.optional().meta({ description: 'Only payouts of this poster’s projects' }),
      ...listQuery,
      ...amounts,
    }),
    output: z.object({
      payouts: z.array(payout.extend({ parties }).meta({ id: 'ListedPayout' })),
      ...pageEnd,
    }),
  },

  retryPayout: {
    ...asOperator,
    method: 'post',
    path: '/operator/payouts/{payout_id}/retry',
    summary: 'Release a held payout, or retry a payout immediately',
    description:
      'A released payout ignores the caps, and uses no room in them. A released credited amount is sent on its own. Returns 409 for a payout that waits for a wallet or is settled.',
    params: z.object({ payout_id: uuid }),
    body: reason,
    output: z.object({ message: z.string(), payout }),
    errors: ['NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  listRevenue: {
    ...asOperator,
    method: 'get',
    path: '/operator/revenue',
    summary: 'List what the platform earned and withdrew, newest first',
    description: 'The entries of the account `revenue` in the ledger. Their sum is its balance.',
    query: z.object({ state: someOf(revenueKinds), ...listQuery, ...amounts }),
    output: z.object({
      revenue: z.array(
        z
          .object({
            id,
            kind: z.enum(revenueKinds).meta({
              description:
                '`platform_fee`: of a prize; negative if the award was taken back. `entry_fees`: of a completed project. `fee_kept`: of a canceled one',
            }),
            amount_micro: z.int().meta({ description: 'In microdollars; negative: taken back or withdrawn' }),
            created_at: timestamp,
            parties,
          })
          .meta({ id: 'RevenueEntry' }),
      ),
      ...pageEnd,
    }),
  },

  withdrawRevenue: {
    ...asOperator,
    method: 'post',
    path: '/operator/withdrawals',
    summary: 'Withdraw earned fees from the treasury to REVENUE_ADDRESS',
    description:
      'Returns 409 while REVENUE_ADDRESS is not set. The limit is the balance of the account `revenue` less pending withdrawals. Any other transfer from the treasury has no ledger entry and stops all payouts. With a `withdrawal_id`, repeating the request returns the same response and moves no money.',
    body: z.object({
      amount_usdc: usdcAmount.refine((micro) => micro > 0, 'more than 0'),
      reason: text(1, 500),
      withdrawal_id: uuid.optional().meta({ description: 'Your own UUID, which makes the request safe to repeat' }),
    }),
    status: 201,
    output: z.object({ message: z.string(), payout }),
    errors: ['PROJECT_STATE_CONFLICT'],
  },

  listPayments: {
    ...asOperator,
    method: 'get',
    path: '/operator/payments',
    summary: 'List payments in and out, newest first',
    description: '`state=settling` lists payments whose outcome is not known yet.',
    query: z.object({
      state: someOf(paymentStates),
      kind: someOf(paymentKinds),
      project_id: uuid.optional().meta({ description: 'Only its prize and its entry fees' }),
      agent_id: uuid.optional().meta({ description: 'Only entry fees that this agent paid, and that count' }),
      poster_id: uuid.optional().meta({ description: 'Only prizes that this poster paid, and that count' }),
      ...listQuery,
      ...amounts,
    }),
    output: z.object({
      payments: z.array(payment.extend({ parties }).meta({ id: 'ListedPayment' })),
      ...pageEnd,
    }),
  },

  retryPayment: {
    ...asOperator,
    method: 'post',
    path: '/operator/payments/{payment_id}/retry',
    summary: 'Determine the outcome of a payment now',
    description:
      'The service asks the chain, and settles an undecided payment again. The token contract moves the money at most once. A decided payment does not change.',
    params: z.object({ payment_id: uuid }),
    body: reason,
    output: z.object({ message: z.string(), payment }),
    errors: ['NOT_FOUND'],
  },
});
