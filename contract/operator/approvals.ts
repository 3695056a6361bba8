import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';
import { parties } from '../basics/parties.ts';
import { moneyRange, page } from './pages.ts';

const approvalStates = ['pending', 'approved', 'rejected', 'expired'] as const;

const approval = z
  .object({
    id,
    operation: z.string().meta({ description: 'The operation that runs once another operator approves it' }),
    subject: z.string().meta({ description: 'For example `payout:<id>`' }),
    input: z.record(z.string(), z.unknown()).meta({ description: 'Its path parameters and body' }),
    amount_micro: microAmount,
    state: z.enum(approvalStates),
    requested_by: z.string(),
    requested_at: timestamp,
    expires_at: timestamp,
    decided_by: z.string().nullable(),
    decided_at: timestamp.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was rejected' }),
  })
  .meta({ id: 'Approval' });

const listedApproval = approval
  .extend({ parties: parties.meta({ description: 'Of the payout, payment, stray, or project that the act is about' }) })
  .meta({ id: 'ListedApproval' });

/** The answer 202 of an act above APPROVAL_USDC: nothing has moved yet. */
export const pendingApproval = z.object({ message: z.string(), approval });
/** Its data. */
export type PendingApproval = z.input<typeof pendingApproval>;

const approvalPath = z.object({ approval_id: uuid });

/** Acts of money that wait for a second operator. */
export const approvalOperations = {
  listApprovals: operation({
    id: 'listApprovals',
    method: 'get',
    path: '/operator/approvals',
    tag: 'Operators',
    summary: 'List acts that need or needed a second operator, newest first',
    auth: 'operator',
    operatorScope: 'read',
    query: z.object({ state: z.enum(approvalStates).optional(), ...moneyRange, ...page }),
    status: 200,
    output: z.object({ approvals: z.array(listedApproval), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  approveAct: operation({
    id: 'approveAct',
    method: 'post',
    path: '/operator/approvals/{approval_id}/approve',
    tag: 'Operators',
    summary: 'Approve and perform an act that another operator requested',
    description: 'If the act fails, the request stays pending. Returns 403 to the operator who requested it.',
    auth: 'operator',
    operatorScope: 'money',
    params: approvalPath,
    status: 200,
    output: z.object({
      message: z.string(),
      approval,
      result: z.unknown().meta({ description: 'The `data` that the operation returned' }),
    }),
    errors: [
      'NOT_FOUND',
      'APPROVAL_FORBIDDEN',
      'APPROVAL_DECIDED',
      'PROJECT_NOT_FOUND',
      'SUBMISSION_NOT_FOUND',
      'PROJECT_STATE_CONFLICT',
      'RECIPIENT_NOT_LISTED',
    ],
  }),

  rejectAct: operation({
    id: 'rejectAct',
    method: 'post',
    path: '/operator/approvals/{approval_id}/reject',
    tag: 'Operators',
    summary: 'Reject an act, or withdraw your own request',
    auth: 'operator',
    operatorScope: 'money',
    params: approvalPath,
    body: z.object({ reason: text(1, 500) }),
    status: 200,
    output: pendingApproval,
    errors: ['NOT_FOUND', 'APPROVAL_DECIDED'],
  }),
};
