import { z } from 'zod';
import { microAmount, payoutStatus } from '../basics/money.ts';
import { operationsOf } from '../basics/operation.ts';
import { selection } from '../projects/ends.ts';
import { projectStatus } from '../projects/projects.ts';
import { pageEnd, pageQuery } from '../basics/lists.ts';
import { id, projectPath, timestamp } from '../basics/text.ts';

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

/** The money of one project, in integer microdollars. */
export const moneyViewOperations = operationsOf({
  getProjectMoney: {
    method: 'get',
    path: '/projects/{project_id}/money',
    tag: 'Projects',
    summary: 'Read every payment of a project, with transaction hashes',
    description:
      'Needs no key. `balanced` compares the payments with the ledger: money received equals money paid out, kept by the platform, and held. The three lists share one limit and one cursor; the sums cover all pages. Payments that came too late are refunded and not listed.',
    auth: 'public',
    limits: ['publicReads'],
    params: projectPath,
    query: z.object(pageQuery(100, 50)),
    output: z.object({
      project_id: id,
      status: projectStatus,
      selection: selection
        .nullable()
        .meta({ description: 'How the winner was selected; null until the prize is awarded' }),
      network: z.string(),
      asset: z.string(),
      treasury: z.string(),
      prize: z.object(paid).nullable().meta({ description: 'Null after its transfer vanished from the chain' }),
      entry_fees: z.object({ count: z.int(), total_micro: microAmount, payments: z.array(z.object(paid)) }),
      payouts: z.array(z.object({ kind: z.enum(['prize', 'share']), ...owed })),
      refunds: z
        .array(z.object({ of: z.enum(['prize', 'entry_fee']), ...owed }))
        .meta({ description: 'Payments that went back to their payers' }),
      paid_out_micro: microAmount.meta({ description: 'Settled prize and shares' }),
      refunded_micro: microAmount.meta({ description: 'Settled refunds' }),
      platform_fee_micro: microAmount.meta({ description: 'The part of the prize that the platform keeps' }),
      entry_fees_kept_micro: microAmount.meta({ description: 'Entry fees that the platform keeps' }),
      held_micro: microAmount.meta({ description: 'Not paid out and not kept yet' }),
      balanced: z.boolean().meta({
        description:
          'prize + entry_fees.total_micro = paid_out_micro + refunded_micro + platform_fee_micro + entry_fees_kept_micro + held_micro',
      }),
      ...pageEnd,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  },
});
