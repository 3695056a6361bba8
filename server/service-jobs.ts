import { endStandings, applyWalletChanges } from './agents/public.ts';
import { recordDependencyChange, removeOldEvents, runSequencer } from './events/public.ts';
import type { Deps } from './deps.ts';
import { removeOldKeys } from './idempotency/public.ts';
import type { createProbes } from './http/public.ts';
import { createDependencyWatch, type Job, type Run, WATCH_EVERY_MS } from './jobs/public.ts';
import { advanceProjects, judgeWithAi, lapseAward } from './judging/public.ts';
import { resumeInspections, lapsePlaces, removeLeftoverUploads } from './entries/public.ts';
import { checkHourly } from './reconciliation/public.ts';
import { sweepPayments } from './payments/public.ts';
import { sendPayouts, payUnclaimed } from './payouts/public.ts';
import { advancePublicationClock, removeUnusedReferences } from './projects/public.ts';
import { queueEvents, removeOldDeliveries, resealSecrets } from './webhooks/public.ts';
import { queueEventMail, removeOldMail, sendDueMail } from './mail/public.ts';

/**
 * Lets a job wait until the database was compared with the chain. A ledger check before that would take lost payments for
 * strays, and the comparison would then begin behind them.
 */
function comparedFirst({ comparison }: Deps, run: Run): Run {
  return async (stopping) => {
    if (await comparison.make()) await run(stopping);
  };
}

export const stuckAlert = (job: string) => ({
  alert: 'job_stuck' as const,
  subject: `job:${job}`,
  message: 'The job did not end for 15 minutes and was started again.',
  details: {},
});

/**
 * The jobs that number the events of the log and bring them to webhook endpoints and mailboxes. `onQueued`: a delivery to an
 * endpoint is due.
 */
function eventJobs(deps: Deps, onQueued: () => void): Job[] {
  const queue = async (stopping: AbortSignal) => {
    if (await queueEvents(deps, stopping)) onQueued();
  };
  // The process that numbered an event queues it at once. The next job queues what a killed process left.
  const number = (stopping: AbortSignal) =>
    runSequencer(deps, stopping, () =>
      queue(stopping).catch((err: unknown) => deps.log.error({ err }, 'events could not be queued for webhooks')),
    );
  return [
    { everyMs: 1_000, steps: { 'number events': number } },
    {
      everyMs: 1_000,
      steps: {
        'queue events for webhooks': queue,
        'queue events for emails': (stopping) => queueEventMail(deps, stopping),
        'send emails': (stopping) => sendDueMail(deps, stopping),
      },
    },
  ];
}

/** The job that removes what is no longer needed. */
function cleanUp(deps: Deps): Job {
  return {
    everyMs: 60_000,
    steps: {
      'remove old emails': (stopping) => removeOldMail(deps, stopping),
      'remove old deliveries': (stopping) => removeOldDeliveries(deps, stopping),
      'remove old idempotency keys': (stopping) => removeOldKeys(deps, stopping),
      'remove old events': (stopping) => removeOldEvents(deps, stopping),
      'remove leftover uploads': (stopping) => removeLeftoverUploads(deps, stopping),
      'remove unused references': (stopping) => removeUnusedReferences(deps, stopping),
      'reseal webhook secrets': (stopping) => resealSecrets(deps, stopping),
    },
  };
}

type JobParts = {
  probes: ReturnType<typeof createProbes>;
  /** Whether Redis answers, in a process that counts limits there. */
  limitStore: (() => { up: boolean }) | undefined;
  /** A delivery to a webhook endpoint is due. */
  onQueued: () => void;
};

/** All jobs. Several processes may run the shared ones. */
export function jobsOf(deps: Deps, { probes, limitStore, onQueued }: JobParts): { ownJobs: Job[]; sharedJobs: Job[] } {
  // Jobs on data that only this process holds in memory.
  const ownJobs: Job[] = [{ everyMs: 1_000, steps: { 'compare with the chain': () => deps.comparison.make() } }];
  const sweep = comparedFirst(deps, (stopping) => sweepPayments(deps, stopping));
  const settle = comparedFirst(deps, (stopping) => payUnclaimed(deps, stopping, (prize) => lapseAward(deps, prize)));
  const tell = (change: Parameters<typeof recordDependencyChange>[1]) => recordDependencyChange(deps, change);
  const watch = (asked: JobParts['probes']): Job => ({
    everyMs: WATCH_EVERY_MS,
    steps: { 'watch the dependencies': createDependencyWatch({ ...deps, probes: asked, tell }) },
  });
  // The workers, which watch everything else, have no limits.
  if (limitStore && deps.config.role === 'api')
    ownJobs.push(watch(async () => ({ limit_store: { up: limitStore().up, seconds: 0 } })));
  const sharedJobs: Job[] = [
    { everyMs: 1_000, steps: { 'advance the publication clock': () => advancePublicationClock(deps) } },
    {
      everyMs: 1_000,
      steps: {
        'advance projects': (stopping) => advanceProjects(deps, stopping),
        'lapse places': (stopping) => lapsePlaces(deps, stopping),
      },
    },
    { everyMs: 1_000, steps: { 'judge with AI': (stopping) => judgeWithAi(deps, stopping) } },
    { everyMs: 1_000, steps: { 'resume inspections': (stopping) => resumeInspections(deps, stopping) } },
    { everyMs: 10_000, steps: { 'sweep payments': sweep } },
    { everyMs: 1_000, steps: { 'send payouts': (stopping) => sendPayouts(deps, stopping) } },
    { everyMs: 600_000, steps: { 'settle unclaimed awards': settle } },
    ...eventJobs(deps, onQueued),
    watch(probes),
    { everyMs: 60_000, steps: { 'check the ledger': comparedFirst(deps, () => checkHourly(deps)) } },
    {
      everyMs: 1_000,
      steps: {
        'apply wallet changes': (stopping) => applyWalletChanges(deps, stopping),
        'end standings': (stopping) => endStandings(deps, stopping),
      },
    },
    cleanUp(deps),
  ];
  return { ownJobs, sharedJobs };
}
