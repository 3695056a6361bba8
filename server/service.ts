import { createAgentAuthenticator, createAgentSessionAuthenticator } from './agents/public.ts';
import { alertOperator, createEventHub } from './events/public.ts';
import { requireDatabase } from './db/public.ts';
import type { Deps, World } from './deps.ts';
import { type App, createApp, type Limits, type ConsoleBuild, createProbes } from './http/public.ts';
import { startJobs } from './jobs/public.ts';
import { settledPayoutHandler } from './judging/public.ts';
import { createInspections, INSPECTION_TIMES, findOriginal, entryFeeSubject } from './entries/public.ts';
import { createIdentityProvider, createOperatorSessionAuthenticator } from './operators/public.ts';
import { createBalances } from './chain/public.ts';
import { createComparison } from './reconciliation/public.ts';
import { PAYMENT_TIMES } from './payments/public.ts';
import { payoutHandler, refundLatePayment } from './payouts/public.ts';
import { createPosterAuthenticator, createSessionAuthenticator } from './posters/public.ts';
import { advancePublicationClock, prizeSubject, findReferenceOriginal } from './projects/public.ts';
import { routes } from './routes.ts';
import { jobsOf, stuckAlert } from './service-jobs.ts';
import { createPublicCopies } from './pictures/public.ts';
import { WebhookSender } from './webhooks/public.ts';
import type { InspectionTimes } from './entries/types.ts';
import type { PaymentTimes } from './payments/types.ts';

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
  /** Without it, OPERATOR_KEY starts no session. */
  operatorKey?: string | undefined;
  paymentTimes?: Partial<PaymentTimes> | undefined;
  inspectionTimes?: Partial<InspectionTimes> | undefined;
  /** Called after a project has opened and its announcement is committed. */
  onOpened?: (() => void) | undefined;
};

/** Builds the domains on the outside world. Entries and projects hand their payable subjects to payments here. */
export function createDomains(
  world: World,
  { operatorKey = '', paymentTimes = {}, inspectionTimes = {}, onOpened = () => {} }: DomainOptions = {},
) {
  const agents = createAgentAuthenticator(world);
  const posters = createPosterAuthenticator(world);
  const posterSessions = createSessionAuthenticator(world);
  const agentSessions = createAgentSessionAuthenticator(world);
  const identityProvider = createIdentityProvider(world);
  const operatorSessions = createOperatorSessionAuthenticator({ ...world, identityProvider }, operatorKey);
  const payoutBooking = payoutHandler(world, settledPayoutHandler(world));
  const afterOpening = () => {
    onOpened();
    // Nobody waits for it. If it fails, the job confirms the publication within a second.
    advancePublicationClock(world).catch((error: unknown) =>
      world.log.debug({ err: error }, 'publication not confirmed'),
    );
  };
  const publicCopies = createPublicCopies({
    ...world,
    siteName: world.config.site.name,
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
    knownKeys: {
      forget(id) {
        for (const each of [agents, posters, posterSessions, agentSessions, operatorSessions]) each.forget(id);
      },
    },
    operatorSessions,
    identityProvider,
    publicCopies,
    inspections: createInspections({
      ...world,
      publicCopies,
      inspectionTimes: { ...INSPECTION_TIMES, ...inspectionTimes },
    }),
    eventHub: createEventHub(world),
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
      keys: {
        agent: agents.authenticate,
        poster: posters.authenticate,
        operator: async (key: string) => operatorSessions.holderOf(key),
      },
      sessions: {
        agent: agentSessions.authenticate,
        poster: posterSessions.authenticate,
        operator: operatorSessions.authenticate,
      },
    },
  };
}

/** Builds the domains, the HTTP application, and the jobs of this process. */
export function createService(world: World, options: ServiceOptions): Service {
  const { operatorKey, paymentTimes, inspectionTimes, ...rest } = options;
  const { role } = world.config;
  const sender = role === 'api' ? null : new WebhookSender(world);
  const probes = createProbes(world, rest.limits?.storeMetrics);
  const { deps, authenticators } = createDomains(world, {
    operatorKey,
    paymentTimes,
    inspectionTimes,
    onOpened: sender ? () => sender.wake() : undefined,
  });
  const app = createApp({
    deps,
    routes,
    authenticators,
    probes,
    operatorKey,
    probesOnly: role === 'worker',
    ...(sender ? { webhooks: () => sender.attempts } : {}),
    ...rest,
  });
  const { ownJobs, sharedJobs } = jobsOf(deps, {
    probes,
    limitStore: rest.limits?.storeMetrics,
    onQueued: () => sender?.wake(),
  });
  return {
    deps,
    app,
    startJobs() {
      const jobs = role === 'api' ? ownJobs : [...ownJobs, ...sharedJobs];
      const running = startJobs(jobs, world.log, {
        onStuck: (job) => void alertOperator(deps, stuckAlert(job)),
      });
      sender?.start();
      return {
        async stop() {
          deps.eventHub.stop();
          await Promise.all([running.stop(), deps.inspections.stop(), deps.publicCopies.stop(), sender?.stop()]);
        },
      };
    },
  };
}
