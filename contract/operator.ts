import { z } from 'zod';
import { entryPath } from './judging.ts';
import { microAmount } from './money.ts';
import { operation } from './operation.ts';
import { oneProject, projectPath } from './posters.ts';
import { id, text, timestamp } from './text.ts';

export const operatorOperations = {
  getLedger: operation({
    id: 'getLedger',
    method: 'get',
    path: '/operator/ledger',
    tag: 'Operator',
    summary: 'Check the books against themselves and against the chain, now',
    auth: 'operator',
    status: 200,
    output: z.object({
      balanced: z.boolean().meta({ description: 'Every invariant of the ledger holds' }),
      chain_matches: z
        .boolean()
        .meta({ description: "The treasury's USDC and every transfer into and out of it match the books" }),
      problems: z.array(z.string()).meta({ description: 'While there are any, nothing is paid out' }),
      accounts: z
        .array(z.object({ account: z.string(), balance_micro: microAmount }))
        .meta({ description: 'Those with money in them' }),
      unknown_payments: z.int().meta({ description: 'Settlements whose outcome is not known yet' }),
      stray: z
        .object({ transfers: z.int(), amount_micro: microAmount })
        .meta({ description: "USDC that came to the treasury and is nobody's" }),
      unsettled_payouts: z
        .array(z.object({ state: z.string(), count: z.int(), amount_micro: microAmount }))
        .meta({ description: 'What is owed, by state: waiting (for a wallet), held, ready, sending' }),
      checked_at: timestamp,
      block: z.int(),
    }),
  }),

  cancelProjectAsOperator: operation({
    id: 'cancelProjectAsOperator',
    method: 'post',
    path: '/operator/projects/{project_id}/cancel',
    tag: 'Operator',
    summary: 'Cancel an open or judged project and give everything back',
    description: 'The prize and every entry fee go back to who paid them. Not once the prize is awarded.',
    auth: 'operator',
    params: projectPath,
    body: z.object({ reason: text(1, 500) }),
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),

  disqualifySubmission: operation({
    id: 'disqualifySubmission',
    method: 'post',
    path: '/operator/projects/{project_id}/submissions/{submission_id}/disqualify',
    tag: 'Operator',
    summary: 'Take a confirmed entry out of the competition',
    description:
      'It can no longer win or share the prize; its fee is not given back. Not once the prize is awarded, and not the last entry of a project that is judged: cancel that one. Again answers the same, with the first reason.',
    auth: 'operator',
    params: entryPath,
    body: z.object({ reason: text(1, 500) }),
    status: 200,
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
  }),
};
