import { requireStanding } from '../agents/accounts/public.ts';
import { restrictionNow } from '../agents/standing/public.ts';
import type { Context } from '../deps.ts';
import { uploadedBefore } from './next-step.ts';
import type { SubmissionRow } from './queries.ts';
import type { AgentCaller } from '../ports/callers.ts';

/**
 * Checks that the agent may confirm this submission. A restricted agent only finishes what it started: a submission
 * whose fee settled or, without a fee, one with a file that was uploaded before the restriction.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export async function requireMayConfirm(
  ctx: Context<AgentCaller>,
  submission: SubmissionRow,
  files: { uploadKey: string; status: string }[],
): Promise<void> {
  if (submission.status === 'submitted' || submission.entry_fee_paid_micro > 0) return;
  const restriction = await restrictionNow(ctx.db, ctx.caller, ctx.clock.now());
  if (restriction === null) return;
  const pending = files.filter(({ status }) => status === 'pending');
  const stored = await Promise.all(pending.map(({ uploadKey }) => ctx.storage.head(uploadKey)));
  const mayFinish = stored.some((file) => uploadedBefore(file?.modifiedAt ?? null, restriction));
  requireStanding(restriction.caller, mayFinish ? 'notSuspended' : 'active');
}
