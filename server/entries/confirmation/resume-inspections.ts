import type { Deps } from '../../deps.ts';
import { alertOperator } from '../../events/public.ts';
import { findAbandoned, markResultsDue, INSPECTION_WAIT_MS } from './inspection-queries.ts';
import { recordServiceFailure } from '../entry-queries.ts';
import type { RequestedConfirmation } from '../types.ts';

const BATCH = 50;

type ResumeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'inspections'>;

/**
 * Inspects files whose confirmation was requested and whose inspection did not end: its process was killed, or the
 * storage did not answer. So no project waits for the agent to send its request again. A file that could not be
 * inspected for an hour is given up, because its project waits no longer.
 *
 * @returns how many confirmations were looked at without a failure
 */
export async function resumeInspections(deps: ResumeDeps, stopping?: AbortSignal): Promise<number> {
  const { db, clock, inspections } = deps;
  const now = clock.now();
  const before = new Date(now.getTime() - inspections.times.resumeAfterMs);
  const confirmations = await findAbandoned(db, { before, now, limit: BATCH });
  if (confirmations.length === 0 || stopping?.aborted) return 0;
  // The requests that asked for these inspections have been answered or cut off.
  await markResultsDue(db, confirmations);
  const ended = await Promise.allSettled(confirmations.map((confirmation) => resume(deps, confirmation, now)));
  return ended.filter(({ status }) => status === 'fulfilled').length;
}

async function resume(deps: ResumeDeps, confirmation: RequestedConfirmation, now: Date): Promise<void> {
  const { db, log, inspections } = deps;
  const { submissionId, requestedAt } = confirmation;
  if (now.getTime() - requestedAt.getTime() < INSPECTION_WAIT_MS) return void (await inspections.inspect(confirmation));
  log.error({ submissionId, alert: 'inspection_given_up' }, 'a picture could not be inspected for an hour');
  await alertOperator(deps, {
    alert: 'inspection_given_up',
    subject: `submission:${submissionId}`,
    message: 'A picture could not be inspected for an hour.',
    details: { project_id: confirmation.projectId },
  });
  // Its fee goes back if it is never confirmed.
  await recordServiceFailure(db, submissionId, now);
  await inspections.giveUp(confirmation);
}
