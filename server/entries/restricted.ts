import { requireStanding, restrictionNow } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { uploadedBefore } from './next-step.ts';
import type { SubmissionRow } from './queries.ts';
import type { AgentCaller } from '../callers.ts';

/**
 * Checks that the agent may confirm this submission. A restricted agent only finishes what it started: a submission
 * whose fee settled or, without a fee, one whose files were all uploaded before the restriction.
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
  const uploaded = stored.flatMap((file) => file ?? []);
  const mayFinish = uploaded.length > 0 && uploaded.every((file) => uploadedBefore(file.modifiedAt, restriction));
  requireStanding(restriction.caller, mayFinish ? 'notSuspended' : 'active');
}
