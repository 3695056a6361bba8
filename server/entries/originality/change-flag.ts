import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { flagOperations } from '../../../contract/operator/flags.ts';
import type { Input } from '../../../contract/basics/operation.ts';
import { changeStanding } from '../../agents/standing/public.ts';
import { forgetKeysOf } from '../../agents/accounts/public.ts';
import { listAuditRows, recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { type FlagRow, lockFlag, updateFlagDecision } from './flag-queries.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';

type Operation = typeof flagOperations.decideFlag;
type Body = Input<Operation>['body'];

const ACTION = 'flag.decide';

/**
 * Records the operator's decision on a flag, which decides nothing about money. No flag restricts an agent without it.
 *
 * @throws DomainError NOT_FOUND, VALIDATION_ERROR, OPERATOR_CONFLICT
 */
export async function changeFlag(ctx: Context<OperatorCaller>, { params, body }: Input<Operation>): Promise<void> {
  const { flag_id: id } = params;
  const at = ctx.clock.now();
  if (body.until && body.until <= at) throw validationError([{ field: 'until', message: 'in the future' }]);
  const agentUnderReview = await withTransaction(ctx.db, (tx) => decide(ctx, tx, { id, body, at }));
  if (agentUnderReview) await forgetKeysOf(ctx, agentUnderReview);
}

/** Returns the agent that the decision names for a review, or null. */
async function decide(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  { id, body, at }: { id: string; body: Body; at: Date },
): Promise<string | null> {
  const { decision, reason } = body;
  const flag = await lockFlag(tx, id);
  if (!flag) throw noFlag();
  const agentUnderReview = decision === 'under_review' ? agentOf(flag, body.agent_id) : null;
  const until = body.until ?? null;
  const details = agentUnderReview ? { agent_id: agentUnderReview, until: until?.toISOString() ?? null } : {};
  if (flag.decision === decision && flag.decisionReason === reason && (await isRecorded(tx, id, details))) return null;
  if (body.instead_of !== undefined && body.instead_of !== (flag.decision ?? 'open')) throw decidedMeanwhile(flag);
  await updateFlagDecision(tx, id, { decision, reason, at });
  await recordAudit(ctx, tx, {
    at,
    actor: 'operator',
    action: ACTION,
    subject: `flag:${id}`,
    reason,
    details: { from: flag.decision, to: decision, ...details },
  });
  if (agentUnderReview) await setUnderReview(ctx, tx, agentUnderReview, { reason, until, at });
  return agentUnderReview;
}

/**
 * Returns whether the last decision in the audit trail names the same agent and end. Another agent or another end is
 * another decision, and only the audit trail stores them.
 */
async function isRecorded(tx: Tx, id: string, details: Record<string, string | null>): Promise<boolean> {
  const [last] = await listAuditRows(tx, { subject: `flag:${id}`, action: ACTION }, { after: null, limit: 1 });
  return Object.entries(details).every(([name, value]) => (last?.details[name] ?? null) === value);
}

async function setUnderReview(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  agentId: string,
  { reason, until, at }: { reason: string; until: Date | null; at: Date },
): Promise<void> {
  await changeStanding(ctx, tx, { agentId, actor: 'operator', reason, at }, ({ status }) =>
    status === 'suspended' ? null : { status: 'under_review', until },
  );
}

function agentOf({ agentId, otherAgentId }: FlagRow, named: string | undefined): string {
  if (named === undefined || named === agentId) return agentId;
  if (named === otherAgentId) return otherAgentId;
  throw validationError([{ field: 'agent_id', message: "the agent of one of the flag's entries" }]);
}

function decidedMeanwhile({ decision, decisionReason }: FlagRow): DomainError {
  const words = decision?.replace('_', ' ') ?? 'open';
  const reason = decisionReason === null ? '' : `: ${decisionReason}`;
  return new DomainError(
    'OPERATOR_CONFLICT',
    `Another operator has decided this flag meanwhile. It is ${words}${reason}`,
  );
}

/** Returns the error for an unknown flag. */
export function noFlag(): DomainError {
  return new DomainError('NOT_FOUND', 'No such flag.');
}
