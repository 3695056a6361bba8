import type { Deps } from '../../deps.ts';
import { endRequest, findAbandoned, markResultsDue } from './inspection-queries.ts';
import { INSPECTION_WAIT_MS } from './inspections-wait.ts';
import type { RequestedFile } from '../../ports/inspections.ts';

const BATCH = 50;

type ResumeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'inspections'>;

/**
 * Inspects files whose confirmation was requested and whose inspection did not end: its process was killed, or the
 * storage did not answer. So no project waits for the agent to send its request again. A request that could not be
 * inspected for an hour is given up, because its project waits no longer.
 *
 * @returns how many inspections ended
 */
export async function resumeInspections(deps: ResumeDeps, stopping?: AbortSignal): Promise<number> {
  const { db, clock, inspections } = deps;
  const now = clock.now();
  const before = new Date(now.getTime() - inspections.times.resumeAfterMs);
  const files = await findAbandoned(db, { before, now, limit: BATCH });
  if (files.length === 0 || stopping?.aborted) return 0;
  // The requests that asked for these inspections have been answered or cut off.
  await markResultsDue(
    db,
    files.map(({ fileId }) => fileId),
  );
  const ended = await Promise.allSettled(files.map((file) => resume(deps, file, now)));
  return ended.filter(({ status }) => status === 'fulfilled').length;
}

async function resume({ db, log, inspections }: ResumeDeps, file: RequestedFile, now: Date): Promise<void> {
  const { submissionId, requestedAt } = file;
  if (now.getTime() - requestedAt.getTime() < INSPECTION_WAIT_MS) return void (await inspections.inspect(file));
  log.error({ submissionId, alert: 'inspection_given_up' }, 'a picture could not be inspected for an hour');
  await endRequest(db, file);
}
