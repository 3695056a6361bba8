import { createActivity, createAgentAuthenticator, lockSubscriber } from './agents/accounts/public.ts';
import { checkStats } from './agents/rankings/public.ts';
import { endStandings } from './agents/standing/public.ts';
import { chainRecords } from './audit/public.ts';
import {
  alertOperator,
  createEventHub,
  recordDependencyChange,
  removeOldEvents,
  runSequencer,
} from './events/public.ts';
import { requireDatabase } from './db/public.ts';
import type { Deps, World } from './deps.ts';
import { type App, createApp } from './http/public.ts';
import type { Limits } from './http/limits/public.ts';
import type { ConsoleBuild } from './http/pages/public.ts';
import { removeOldKeys } from './idempotency/public.ts';
import { createMachineState, createProbes, createRequestCounts } from './http/metrics/public.ts';
import { createDependencyWatch, createJobStates, type Job, startJobs, WATCH_EVERY_MS } from './jobs/public.ts';
import { advanceProjects, createAiQueue, settledPayoutHandler } from './judging/public.ts';
import { createInspections, INSPECTION_TIMES, resumeInspections } from './entries/confirmation/public.ts';
import { findOriginal, entryFeeSubject, removeLeftoverUploads } from './entries/public.ts';
import { actsOf, createOperatorAuthenticator } from './operators/public.ts';
import { createBalances } from './chain/public.ts';
import { checkHourly } from './reconciliation/public.ts';
import { createComparison } from './reconciliation/recovery/public.ts';
import { PAYMENT_TIMES, sweepPayments } from './payments/public.ts';
import { payoutHandler, refundLatePayment, sendPayouts } from './payouts/public.ts';
import { createPosterAuthenticator, createPosterKeyUse, createSessionAuthenticator } from './posters/public.ts';
import { advancePublicationClock } from './projects/publication/public.ts';
import { createAnalyst, prizeSubject } from './projects/public.ts';
import { findReferenceOriginal, removeUnusedReferences } from './projects/references/public.ts';
import { routes } from './routes.ts';
import { createAgentSessionAuthenticator } from './agents/sessions/public.ts';
import { applyWalletChanges } from './agents/wallets/public.ts';
import { resealSecrets } from './webhooks/endpoints/public.ts';
import { queueEventMail, queueDigests, removeOldMail, sendDueMail } from './mail/outbox/public.ts';
import { queueEvents } from './webhooks/accounts/public.ts';
import { createPreflights } from './entries/before-paying/public.ts';
import { flagLikenesses } from './entries/originality/public.ts';
import { createPictureMemory, createPublicCopies, removeOldCopies } from './pictures/public.ts';
import { keepPartitions, WebhookSender } from './webhooks/sender/public.ts';
import type { ProcessMetrics } from './ports/metrics.ts';
import type { InspectionTimes } from './ports/inspections.ts';
import type { PaymentTimes } from './ports/payment-setup.ts';

export type ServiceOptions = {
  operatorKey: string;
  handleUpload?: (request: Request) => Promise<Response>;
  isDraining?: () => boolean;
  /** Limits that several processes share; without them this process counts alone. */
  limits?: Limits;
  console?: ConsoleBuild | null;
  /** Shorter waits for tests. */
  paymentTimes?: Partial<PaymentTimes>;
  inspectionTimes?: Partial<InspectionTimes>;
};

export type Service = {
  deps: Deps;
  app: App;
  /** Starts the jobs; `stop` waits for the runs in progress. */
  startJobs(): { stop(): Promise<void> };
};

type DomainOptions = {
  paymentTimes?: Partial<PaymentTimes> | undefined;
  inspectionTimes?: Partial<InspectionTimes> | undefined;
  /** Called after a project has opened and its announcement is committed. */
  onOpened?: (() => void) | undefined;
  counted?: Partial<Omit<ProcessMetrics, 'since'>>;
};

/** For domains without a process around them. */
const NOT_COUNTED: Omit<ProcessMetrics, 'since'> = {
  answers: async () => [],
  attempts: () => null,
  machine: async () => ({ checkedAt: new Date(0), dependencies: [], keys: [] }),
  jobs: () => [],
};

/** Builds the domains on the outside world. Entries and projects hand their payable subjects to payments here. */
export function createDomains(
  world: World,
  { paymentTimes = {}, inspectionTimes = {}, onOpened = () => {}, counted = {} }: DomainOptions = {},
) {
  const activity = createActivity(world);
  const agents = createAgentAuthenticator(world, activity);
  const posterKeyUse = createPosterKeyUse(world);
  const posters = createPosterAuthenticator(world, posterKeyUse);
  const posterSessions = createSessionAuthenticator(world, posterKeyUse);
  const agentSessions = createAgentSessionAuthenticator(world, activity);
  const payoutBooking = payoutHandler(settledPayoutHandler(world));
  const pictureMemory = createPictureMemory();
  const afterOpening = () => {
    onOpened();
    // Nobody waits for it. If it fails, the job confirms the publication within a second.
    advancePublicationClock(world).catch((error: unknown) =>
      world.log.debug({ err: error }, 'publication not confirmed'),
    );
  };
  const publicCopies = createPublicCopies({
    ...world,
    pictureMemory,
    // A stored copy needs no database.
    findOriginal: async (id) => {
      requireDatabase(world.breaker);
      return (await findOriginal(world.db, id)) ?? (await findReferenceOriginal(world.db, id));
    },
  });
  const deps: Deps = {
    ...world,
    balances: createBalances(world.chain, world.clock),
    comparison: createComparison(world),
    agentKeys: agents,
    posterKeys: posters,
    posterSessions,
    agentSessions,
    processMetrics: { since: world.clock.now(), ...NOT_COUNTED, ...counted },
    lockSubscriber,
    operatorActs: actsOf(routes, () => deps),
    publicCopies,
    inspections: createInspections({
      ...world,
      publicCopies,
      inspectionTimes: { ...INSPECTION_TIMES, ...inspectionTimes },
    }),
    preflights: createPreflights(),
    eventHub: createEventHub(world),
    analyst: createAnalyst(world),
    payments: {
      subjects: { entry_fee: entryFeeSubject(world), escrow: prizeSubject(world, afterOpening) },
      payoutHandlers: { payout: payoutBooking, refund: payoutBooking },
      refundLatePayment: refundLatePayment(world),
      ...PAYMENT_TIMES,
      ...paymentTimes,
    },
  };
  return {
    deps,
    authenticators: {
      agent: agents.authenticate,
      poster: posters.authenticate,
      session: posterSessions.authenticate,
      agentSession: agentSessions.authenticate,
    },
    /** Writes when accounts and keys were last used. */
    recordUses: () => Promise.all([activity.flush(), posterKeyUse.flush()]),
  };
}

/** Skips the first run of a job, so that a rolling restart does not run it once per process. */
function skipFirstRun(run: Job['run']): Job['run'] {
  let started = false;
  return async (stopping) => {
    if (started) await run(stopping);
    started = true;
  };
}

/**
 * Lets a job wait until the database was compared with the chain. A ledger check before that would take lost payments for
 * strays, and the comparison would then begin behind them.
 */
function comparedFirst({ comparison }: Deps, run: Job['run']): Job['run'] {
  return async (stopping) => {
    if (await comparison.make()) await run(stopping);
  };
}

const stuckAlert = (job: string) => ({
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
    { name: 'queue daily emails', everyMs: 60_000, run: (stopping) => queueDigests(deps, stopping) },
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
function jobsOf(deps: Deps, { probes, recordUses, onQueued }: JobParts): { ownJobs: Job[]; sharedJobs: Job[] } {
  const aiQueue = createAiQueue(deps);
  // Jobs on data that only this process holds in memory.
  const ownJobs: Job[] = [
    { name: 'compare with the chain', everyMs: 1_000, run: () => deps.comparison.make() },
    { name: 'record activity', everyMs: 10_000, run: recordUses },
  ];
  const sharedJobs: Job[] = [
    { name: 'advance the publication clock', everyMs: 1_000, run: () => advancePublicationClock(deps) },
    { name: 'advance projects', everyMs: 1_000, run: (stopping) => advanceProjects(deps, stopping, aiQueue.add) },
    { name: 'judge with AI', everyMs: 1_000, run: (stopping) => aiQueue.run(stopping) },
    { name: 'resume inspections', everyMs: 1_000, run: (stopping) => resumeInspections(deps, stopping) },
    { name: 'sweep payments', everyMs: 10_000, run: comparedFirst(deps, (stopping) => sweepPayments(deps, stopping)) },
    { name: 'send payouts', everyMs: 1_000, run: (stopping) => sendPayouts(deps, stopping) },
    ...eventJobs(deps, onQueued),
    dependencyWatch(deps, probes),
    { name: 'check the ledger', everyMs: 60_000, run: comparedFirst(deps, () => checkHourly(deps)) },
    { name: 'apply wallet changes', everyMs: 1_000, run: (stopping) => applyWalletChanges(deps, stopping) },
    { name: 'end standings', everyMs: 1_000, run: (stopping) => endStandings(deps, stopping) },
    { name: 'flag likenesses', everyMs: 1_000, run: (stopping) => flagLikenesses(deps, stopping) },
    { name: 'check the figures', everyMs: 600_000, run: skipFirstRun((stopping) => checkStats(deps, stopping)) },
    { name: 'reseal webhook secrets', everyMs: 600_000, run: (stopping) => resealSecrets(deps, stopping) },
    { name: 'keep partitions', everyMs: 600_000, run: (stopping) => keepPartitions(deps, stopping) },
    { name: 'remove old idempotency keys', everyMs: 60_000, run: (stopping) => removeOldKeys(deps, stopping) },
    { name: 'chain the audit trail', everyMs: 1_000, run: (stopping) => chainRecords(deps, stopping) },
    { name: 'remove old events', everyMs: 600_000, run: (stopping) => removeOldEvents(deps, stopping) },
    { name: 'remove leftover uploads', everyMs: 60_000, run: (stopping) => removeLeftoverUploads(deps, stopping) },
    { name: 'remove unused references', everyMs: 60_000, run: (stopping) => removeUnusedReferences(deps, stopping) },
    { name: 'remove old copies', everyMs: 60_000, run: (stopping) => removeOldCopies(deps, stopping) },
  ];
  return { ownJobs, sharedJobs };
}

/** Builds the domains, the HTTP application, and the jobs of this process. */
export function createService(world: World, options: ServiceOptions): Service {
  const { operatorKey, paymentTimes, inspectionTimes, ...rest } = options;
  const { role } = world.config;
  const sender = role === 'api' ? null : new WebhookSender(world);
  const requests = createRequestCounts();
  const probes = createProbes(world, rest.limits?.storeMetrics);
  const jobStates = createJobStates(world.clock);
  const { deps, authenticators, recordUses } = createDomains(world, {
    paymentTimes,
    inspectionTimes,
    onOpened: sender ? () => sender.wake() : undefined,
    counted: {
      answers: requests.counts,
      attempts: () => sender?.metrics().attempts ?? null,
      machine: createMachineState({ ...world, probes }),
      jobs: jobStates.list,
    },
  });
  const app = createApp({
    deps,
    routes,
    authenticators: { ...authenticators, operator: createOperatorAuthenticator(world, operatorKey).authenticate },
    operatorKey,
    requests,
    probesOnly: role === 'worker',
    ...(sender ? { webhooks: () => sender.metrics() } : {}),
    ...rest,
  });
  const { ownJobs, sharedJobs } = jobsOf(deps, { probes, recordUses, onQueued: () => sender?.wake() });
  return {
    deps,
    app,
    startJobs() {
      const jobs = role === 'api' ? ownJobs : [...ownJobs, ...sharedJobs];
      const running = startJobs(jobs, world.log, {
        states: jobStates,
        onStuck: (job) => void alertOperator(deps, stuckAlert(job)),
      });
      sender?.start();
      return {
        async stop() {
          deps.preflights.stop();
          deps.eventHub.stop();
          await Promise.all([running.stop(), deps.inspections.stop(), deps.publicCopies.stop(), sender?.stop()]);
          await recordUses().catch(() => {});
        },
      };
    },
  };
}
