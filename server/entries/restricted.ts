import { requireStanding } from '../agents/accounts/public.ts';
import { restrictionNow } from '../agents/standing/public.ts';
import type { Context } from '../deps.ts';
import { uploadedBefore } from './next-step.ts';
import type { MediaFileRow, SubmissionRow } from './queries.ts';
import type { AgentCaller } from '../ports/callers.ts';

/**
 * Checks that the agent may confirm this submission. A restricted agent only finishes what it started: a submission
 * whose fee settled or, without a fee, one whose file was uploaded before the restriction.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export async function requireMayConfirm(
  ctx: Context<AgentCaller>,
  submission: SubmissionRow,
  file: MediaFileRow | null,
): Promise<void> {
  if (submission.status === 'submitted' || submission.entry_fee_paid_micro > 0) return;
  const restriction = await restrictionNow(ctx.db, ctx.caller, ctx.clock.now());
  if (restriction === null) return;
  const stored = file?.status === 'pending' ? await ctx.storage.head(file.upload_key) : null;
  const mayFinish = uploadedBefore(stored?.modifiedAt ?? null, restriction);
  requireStanding(restriction.caller, mayFinish ? 'notSuspended' : 'active');
}
