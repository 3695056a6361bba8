import { endStandings } from './agents/standing/public.ts';
import { recordDependencyChange, removeOldEvents, runSequencer } from './events/public.ts';
import type { Deps } from './deps.ts';
import { removeOldKeys } from './idempotency/public.ts';
import type { createProbes } from './http/metrics/public.ts';
import { createDependencyWatch, type Job, WATCH_EVERY_MS } from './jobs/public.ts';
import { advanceProjects, judgeWithAi, lapseAward } from './judging/public.ts';
import { resumeInspections } from './entries/confirmation/public.ts';
import { lapsePlaces, removeLeftoverUploads } from './entries/public.ts';
import { checkHourly } from './reconciliation/public.ts';
import { sweepPayments } from './payments/public.ts';
import { sendPayouts } from './payouts/public.ts';
import { payUnclaimed } from './payouts/unclaimed/public.ts';
import { advancePublicationClock } from './projects/publication/public.ts';
import { removeUnusedReferences } from './projects/references/public.ts';
import { applyWalletChanges } from './agents/wallets/public.ts';
import { queueEvents, removeOldDeliveries, resealSecrets } from './webhooks/public.ts';
import { queueEventMail, removeOldMail, sendDueMail } from './mail/outbox/public.ts';

/**
 * Lets a job wait until the database was compared with the chain. A ledger check before that would take lost payments for
 * strays, and the comparison would then begin behind them.
 */
function comparedFirst({ comparison }: Deps, run: Job['run']): Job['run'] {
  return async (stopping) => {
    if (await comparison.make()) await run(stopping);
  };
}

export const stuckAlert = (job: string) => ({
  type: 'ALERT.JOB_STUCK' as const,
  data: { subject: `job:${job}`, message: 'The job did not end for 15 minutes and was started again.', details: {} },
});

/**
 * The jobs that number the events of the log and bring them to webhook endpoints and mailboxes. `onQueued`: a delivery to an
 * endpoint is due.
 */
function eventJobs(deps: Deps, onQueued: () => void): Job[] {
  const queue = async (stopping: AbortSignal) => {
    if (await queueEvents(deps, stopping)) onQueued();
  };
  // The process that numbered an event queues it at once. The job queues what a killed process left.
  const number = (stopping: AbortSignal) =>
    runSequencer(deps, stopping, () =>
      queue(stopping).catch((err: unknown) => deps.log.error({ err }, 'events could not be queued for webhooks')),
    );
  return [
    { name: 'number events', everyMs: 1_000, run: number },
    { name: 'queue events for webhooks', everyMs: 1_000, run: queue },
    { name: 'queue events for emails', everyMs: 1_000, run: (stopping) => queueEventMail(deps, stopping) },
    { name: 'send emails', everyMs: 1_000, run: (stopping) => sendDueMail(deps, stopping) },
    { name: 'remove old emails', everyMs: 600_000, run: (stopping) => removeOldMail(deps, stopping) },
  ];
}

/** The job that tells the operator when a part outside of the process goes away, and when it is back. */
function dependencyWatch(deps: Deps, probes: ReturnType<typeof createProbes>): Job {
  const run = createDependencyWatch({
    ...deps,
    probes,
    tell: (change) => recordDependencyChange(deps, change),
  });
  return { name: 'watch the dependencies', everyMs: WATCH_EVERY_MS, run };
}

type JobParts = {
  probes: ReturnType<typeof createProbes>;
  recordUses: () => Promise<unknown>;
  /** A delivery to a webhook endpoint is due. */
  onQueued: () => void;
};

/** All jobs. Several processes may run the shared ones. */
export function jobsOf(deps: Deps, { probes, recordUses, onQueued }: JobParts): { ownJobs: Job[]; sharedJobs: Job[] } {
  // Jobs on data that only this process holds in memory.
  const ownJobs: Job[] = [
    { name: 'compare with the chain', everyMs: 1_000, run: () => deps.comparison.make() },
    { name: 'record activity', everyMs: 10_000, run: recordUses },
  ];
  const sharedJobs: Job[] = [
    { name: 'advance the publication clock', everyMs: 1_000, run: () => advancePublicationClock(deps) },
    { name: 'advance projects', everyMs: 1_000, run: (stopping) => advanceProjects(deps, stopping) },
    { name: 'lapse places', everyMs: 1_000, run: (stopping) => lapsePlaces(deps, stopping) },
    { name: 'judge with AI', everyMs: 1_000, run: (stopping) => judgeWithAi(deps, stopping) },
    { name: 'resume inspections', everyMs: 1_000, run: (stopping) => resumeInspections(deps, stopping) },
    { name: 'sweep payments', everyMs: 10_000, run: comparedFirst(deps, (stopping) => sweepPayments(deps, stopping)) },
    { name: 'send payouts', everyMs: 1_000, run: (stopping) => sendPayouts(deps, stopping) },
    {
      name: 'settle unclaimed awards',
      everyMs: 600_000,
      run: comparedFirst(deps, (stopping) => payUnclaimed(deps, stopping, (id) => lapseAward(deps, id))),
    },
    ...eventJobs(deps, onQueued),
    dependencyWatch(deps, probes),
    { name: 'check the ledger', everyMs: 60_000, run: comparedFirst(deps, () => checkHourly(deps)) },
    { name: 'apply wallet changes', everyMs: 1_000, run: (stopping) => applyWalletChanges(deps, stopping) },
    { name: 'end standings', everyMs: 1_000, run: (stopping) => endStandings(deps, stopping) },
    { name: 'reseal webhook secrets', everyMs: 600_000, run: (stopping) => resealSecrets(deps, stopping) },
    { name: 'remove old deliveries', everyMs: 600_000, run: (stopping) => removeOldDeliveries(deps, stopping) },
    { name: 'remove old idempotency keys', everyMs: 60_000, run: (stopping) => removeOldKeys(deps, stopping) },
    { name: 'remove old events', everyMs: 600_000, run: (stopping) => removeOldEvents(deps, stopping) },
    { name: 'remove leftover uploads', everyMs: 60_000, run: (stopping) => removeLeftoverUploads(deps, stopping) },
    { name: 'remove unused references', everyMs: 60_000, run: (stopping) => removeUnusedReferences(deps, stopping) },
  ];
  return { ownJobs, sharedJobs };
}
