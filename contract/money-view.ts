import { z } from 'zod';
import { microAmount, payoutStatus } from './money.ts';
import { operation } from './operation.ts';
import { projectPath } from './posters.ts';
import { integerText, projectStatus } from './projects.ts';
import { id, timestamp } from './text.ts';

const paid = {
  amount_micro: microAmount,
  payer: z.string(),
  tx_hash: z.string(),
  settled_at: timestamp,
};

const owed = {
  submission_id: id.nullable(),
  amount_micro: microAmount,
  recipient: z.string().nullable().meta({ description: 'Null while the winner has not linked a wallet' }),
  status: payoutStatus,
  tx_hash: z.string().nullable(),
  settled_at: timestamp.nullable(),
};

export const moneyViewOperations = {
  getProjectMoney: operation({
    id: 'getProjectMoney',
    method: 'get',
    path: '/projects/{project_id}/money',
    tag: 'Projects',
    summary: 'Follow the money of a project, each transfer by its hash',
    description:
      'For everyone. What came is what went, what the platform keeps and what is still held: `balanced` says so, from the payments on one side and the ledger on the other. The three lists are pages of one cursor; the sums are of everything. A payment that came too late is given back and is no part of it.',
    auth: 'public',
    limits: ['publicReads'],
    params: projectPath,
    query: z.object({
      limit: integerText(1, 100, '1 to 100')
        .default(50)
        .meta({ description: 'Of each list: 1 to 100; 50 when left out' }),
      cursor: z.string().max(100).optional().meta({ description: 'Opaque; `next_cursor` of the page before' }),
    }),
    status: 200,
    output: z.object({
      project_id: id,
      status: projectStatus,
      selection: z
        .enum(['poster', 'scores', 'ai', 'split'])
        .nullable()
        .meta({ description: 'How the winner was found; null until the prize is awarded' }),
      network: z.string(),
      asset: z.string(),
      treasury: z.string(),
      prize: z.object(paid),
      entry_fees: z.object({ count: z.int(), total_micro: microAmount, payments: z.array(z.object(paid)) }),
      payouts: z.array(z.object({ kind: z.enum(['prize', 'share']), ...owed })),
      refunds: z
        .array(z.object({ of: z.enum(['prize', 'entry_fee']), ...owed }))
        .meta({ description: 'What went back to who paid it' }),
      paid_out_micro: microAmount.meta({ description: 'Prize and shares that have settled' }),
      refunded_micro: microAmount.meta({ description: 'Refunds that have settled' }),
      platform_fee_micro: microAmount.meta({ description: 'What the platform keeps of the prize' }),
      entry_fees_kept_micro: microAmount.meta({ description: 'Entry fees that the platform keeps' }),
      held_micro: microAmount.meta({ description: 'Neither paid out nor kept yet' }),
      balanced: z.boolean().meta({
        description:
          'prize + entry_fees.total_micro = paid_out_micro + refunded_micro + platform_fee_micro + entry_fees_kept_micro + held_micro',
      }),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
