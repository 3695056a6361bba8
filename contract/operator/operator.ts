import { z } from 'zod';
import { entryPath } from '../projects/judging.ts';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { oneProject } from '../posters.ts';
import { id, projectPath, text, timestamp, uuid } from '../basics/text.ts';

/** The operator's acts on a project that need a reason alone. Each has a verb in `server/judging/act-on-project.ts`. */
export const projectAct = z.enum(['release', 'hold', 'share', 'reopen']);

/** The operator's ledger check and interventions. */
export const operatorOperations = operationsOf({
  getLedger: {
    ...asOperator,
    method: 'get',
    path: '/operator/ledger',
    summary: 'Check the ledger now, against itself and against the chain',
    output: z.object({
      balanced: z.boolean().meta({ description: 'Whether every invariant of the ledger holds' }),
      chain_matches: z
        .boolean()
        .meta({ description: "Whether the treasury's USDC and all its transfers match the ledger" }),
      problems: z.array(z.string()).meta({ description: 'Payouts stop while this list is not empty' }),
      accounts: z
        .array(z.object({ account: z.string(), balance_micro: microAmount }))
        .meta({ description: 'Accounts with a balance' }),
      unknown_payments: z.int().meta({ description: 'Payments whose outcome is not known yet' }),
      stray: z
        .object({ transfers: z.int(), amount_micro: microAmount })
        .meta({ description: 'USDC in the treasury that belongs to no payment' }),
      unsettled_payouts: z
        .array(z.object({ state: z.string(), count: z.int(), amount_micro: microAmount }))
        .meta({ description: 'Amounts owed, by state: waiting (for a wallet), held, ready, sending' }),
      checked_at: timestamp,
      block: z.int(),
    }),
  },

  cancelProjectAsOperator: {
    ...asOperator,
    method: 'post',
    path: '/operator/projects/{project_id}/cancel',
    summary: 'Cancel a project that is open or in judging, and refund all payments',
    description:
      'The prize and every entry fee go back to their payers. With `keep_fee`, the service keeps the platform fee of the prize. Not possible once the prize is awarded.',
    params: projectPath,
    body: z.object({
      reason: text(1, 500),
      keep_fee: z.boolean().default(false).meta({ description: 'Keep the platform fee of the prize; default false' }),
    }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  awardProject: {
    ...asOperator,
    method: 'post',
    path: '/operator/projects/{project_id}/award',
    summary: 'Award the prize of a project to one entry, in place of its poster',
    description:
      'Works while the project is open or in judging, also while a result is on hold. It acts like a choice of the poster and is paid at once. In an open project it ends entries, and paid entries that are not confirmed are refunded.',
    params: projectPath,
    body: z.object({ submission_id: uuid, reason: text(1, 500) }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  actOnProject: {
    ...asOperator,
    method: 'post',
    path: '/operator/projects/{project_id}/acts/{act}',
    summary: 'Share the prize, reopen an award, or hold or release a payout',
    description: [
      '`share` works while the project is open or in judging, also while a result is on hold. It shares the prize equally among the eligible entries: confirmed, not disqualified, one for each wallet that paid, and without a picture that has exactly the bytes of an earlier entry. Every entry fee goes back. The reason is shown to agents and on the page of the project.',
      '`reopen` takes an award back whose payout has not moved, for a winner that must not or cannot be paid: it is suspended, or has no wallet. The entry that had won is disqualified, and the project is judged again for its judging hours. It then ends by the usual order.',
      '`hold` holds the payout of a result on hold until you release it. `release` makes such a result final now, and pays it.',
    ].join('\n\n'),
    params: projectPath.extend({ act: projectAct }),
    body: z.object({ reason: text(1, 500) }),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  disqualifySubmission: {
    ...asOperator,
    method: 'post',
    path: '/operator/projects/{project_id}/submissions/{submission_id}/disqualify',
    summary: 'Disqualify a confirmed entry',
    description:
      'The entry can no longer win or share the prize; its fee is not refunded for this. If a result is on hold, it is decided again. Not possible once the prize is awarded, nor for the last entry of a project in judging: cancel that project. Repeating the request returns the first reason.',
    params: entryPath,
    body: z.object({ reason: text(1, 500) }),
    output: z.object({
      message: z.string(),
      submission: z.object({
        id,
        project_id: id,
        agent_id: id,
        disqualified_at: timestamp,
        disqualify_reason: z.string(),
      }),
    }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
