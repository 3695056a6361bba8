import { createActivity } from './agents/accounts/activity.ts';
import { createAgentAuthenticator } from './agents/accounts/authenticate.ts';
import { checkFigures } from './agents/rankings/check-stats.ts';
import { endStandings } from './agents/standing/end-standings.ts';
import { auditRoutes } from './audit/routes.ts';
import type { Deps, World } from './deps.ts';
import { type App, createApp } from './http/app.ts';
import type { Limits } from './http/limits/limits.ts';
import type { ConsoleBuild } from './http/pages/console-files.ts';
import { removeOldKeys } from './idempotency/remove-old-keys.ts';
import { createRequestCounts } from './http/metrics/request-counts.ts';
import { type Job, startJobs } from './jobs/timers.ts';
import { advanceProjects } from './judging/advance-projects.ts';
import { createAiTurns } from './judging/ai-turns.ts';
import { galleryRoutes } from './views/gallery/routes.ts';
import { marketRoutes } from './views/market/routes.ts';
import { findOriginal } from './entries/queries.ts';
import { payoutSettled } from './judging/payout-settled.ts';
import { judgingRoutes } from './judging/routes.ts';
import { operatorRoutes } from './views/operator/routes.ts';
import { createBalances } from './chain/balances.ts';
import { checkHourly } from './reconciliation/check-hourly.ts';
import { paymentRoutes } from './payments/routes.ts';
import { sealSignatures } from './payments/seal-signatures.ts';
import { PAYMENT_TIMES } from './payments/payment-times.ts';
import { sweepPayments } from './payments/sweep.ts';
import { payoutBooked } from './payouts/book-payout.ts';
import { owedBack } from './payouts/owe-back.ts';
import { payoutRoutes } from './payouts/routes.ts';
import { sendPayouts } from './payouts/send-payouts.ts';
import { createPosterAuthenticator } from './posters/authenticate.ts';
import { createSessionAuthenticator } from './posters/authenticate-session.ts';
import { posterRoutes } from './posters/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { createAnalyst } from './projects/analyse-brief.ts';
import { prizeSettled } from './projects/prize-settled.ts';
import type { Route } from './serve.ts';
import { accountRoutes } from './agents/accounts/routes.ts';
import { profileRoutes } from './views/agents/routes.ts';
import { walletRoutes } from './agents/wallets/routes.ts';
import { leaderboardRoutes } from './views/leaderboard/routes.ts';
import { endpointRoutes } from './webhooks/endpoints/routes.ts';
import { deliveryRoutes } from './webhooks/history/routes.ts';
import { searchRoutes } from './projects/search/routes.ts';
import { entryRoutes } from './entries/routes.ts';
import { historyRoutes } from './views/history/routes.ts';
import { originalityRoutes } from './entries/originality/routes.ts';
import { projectMoneyRoutes } from './views/project-money/routes.ts';
import { chainRoutes } from './chain/routes.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { entryFeeSettled } from './entries/entry-fee.ts';
import { flagLikenesses } from './entries/originality/flag-likenesses.ts';
import { createPictureMemory } from './pictures/picture-memory.ts';
import { createPublicCopies } from './pictures/public-copies.ts';
import { removeLeftoverUploads } from './entries/remove-leftover-uploads.ts';
import { keepPartitions } from './webhooks/sender/partitions.ts';
import { createSender } from './webhooks/sender/sender.ts';
import type { OwnFigures } from './ports/metrics.ts';
import type { PaymentHandler, PaymentTimes } from './ports/payments.ts';

/** Every route of the API. Search comes before projects: `/agents/projects/recommended` also matches a project's path. */
const routes: Route[] = [
  ...accountRoutes,
  ...profileRoutes,
  ...walletRoutes,
  ...leaderboardRoutes,
  ...endpointRoutes,
  ...deliveryRoutes,
  ...searchRoutes,
  ...projectRoutes,
  ...entryRoutes,
  ...historyRoutes,
  ...originalityRoutes,
  ...judgingRoutes,
  ...projectMoneyRoutes,
  ...posterRoutes,
  ...marketRoutes,
  ...galleryRoutes,
  ...chainRoutes,
  ...paymentRoutes,
  ...payoutRoutes,
  ...reconciliationRoutes,
  ...auditRoutes,
  ...operatorRoutes,
];
export type ServiceOptions = {
  operatorKey: string;
  handleUpload?: (request: Request) => Promise<Response>;
  isDraining?: () => boolean;
  /** Shared with other processes; else this one counts for itself. */
  limits?: Limits;
  console?: ConsoleBuild | null;
  /** Tests wait shorter. */
  paymentTimes?: Partial<PaymentTimes>;
};

export type Service = {
  deps: Deps;
  app: App;
  /** Starts the recurring work; `stop` waits for what is under way. */
  startJobs(): { stop(): Promise<void> };
};

type DomainOptions = {
  paymentTimes?: Partial<PaymentTimes> | undefined;
  /** After a project has opened. */
  onOpened?: (() => void) | undefined;
  counted?: Partial<Omit<OwnFigures, 'since'>>;
};

/** Puts the domains together: who is told of a settled payment. */
export function createDomains(
  world: World,
  { paymentTimes = {}, onOpened = () => {}, counted = {} }: DomainOptions = {},
) {
  const activity = createActivity(world);
  const agents = createAgentAuthenticator(world, activity);
  const posterSessions = createSessionAuthenticator(world);
  const paidOut = payoutBooked(payoutSettled(world));
  const pictureMemory = createPictureMemory();
  const deps: Deps = {
    ...world,
    balances: createBalances(world.chain, world.clock),
    agentKeys: agents,
    posterSessions,
    ownFigures: { since: world.clock.now(), answers: () => [], attempts: () => null, ...counted },
    pictureMemory,
    publicCopies: createPublicCopies({
      ...world,
      pictureMemory,
      findOriginal: (mediaFileId) => findOriginal(world.db, mediaFileId),
    }),
    analyst: createAnalyst(world),
    payments: {
      handlers: { entry_fee: entryFeeSettled(world), escrow: telling(prizeSettled(world), onOpened) },
      payoutHandlers: { payout: paidOut, refund: paidOut },
      owedBack: owedBack(world),
      ...PAYMENT_TIMES,
      ...paymentTimes,
    },
  };
  return { deps, activity, agents, posterSessions };
}

/** The sender of webhooks looks as soon as a project opens, not at its next turn. */
function telling(handler: PaymentHandler, tell: () => void): PaymentHandler {
  return {
    ...handler,
    async lock(tx, subjectId) {
      const settle = await handler.lock(tx, subjectId);
      return async (payment) => {
        const result = await settle(payment);
        tell();
        return result;
      };
    },
  };
}

/** A process that has just started has requests to answer, and may be one of many that are started anew one by one. */
function notAtFirst(run: Job['run']): Job['run'] {
  let started = false;
  return async (stopping) => {
    if (started) await run(stopping);
    started = true;
  };
}

/** The domains with their HTTP around them: who authenticates, what runs on a timer. */
export function createService(world: World, options: ServiceOptions): Service {
  const { operatorKey, paymentTimes, ...rest } = options;
  const { role } = world.config;
  const sender = role === 'api' ? null : createSender(world);
  const requests = createRequestCounts();
  const { deps, activity, agents, posterSessions } = createDomains(world, {
    paymentTimes,
    onOpened: sender?.wake,
    counted: { answers: requests.counts, attempts: () => sender?.figures().attempts ?? null },
  });
  const posters = createPosterAuthenticator(world);
  const app = createApp({
    deps,
    routes,
    authenticators: {
      agent: agents.authenticate,
      poster: posters.authenticate,
      session: posterSessions.authenticate,
      operatorKey,
    },
    requests,
    probesOnly: role === 'worker',
    ...(sender ? { webhooks: sender.figures } : {}),
    ...rest,
  });
  const aiTurns = createAiTurns(deps);
  // What only this process holds in memory.
  const ownJobs: Job[] = [{ name: 'record activity', everyMs: 10_000, run: () => activity.flush() }];
  const sharedJobs: Job[] = [
    { name: 'advance projects', everyMs: 1_000, run: (stopping) => advanceProjects(deps, stopping, aiTurns.take) },
    { name: 'judge with AI', everyMs: 1_000, run: (stopping) => aiTurns.run(stopping) },
    { name: 'sweep payments', everyMs: 10_000, run: (stopping) => sweepPayments(deps, stopping) },
    { name: 'seal signatures', everyMs: 60_000, run: (stopping) => sealSignatures(deps, stopping) },
    { name: 'send payouts', everyMs: 1_000, run: (stopping) => sendPayouts(deps, stopping) },
    { name: 'check the ledger', everyMs: 60_000, run: () => checkHourly(deps) },
    { name: 'end standings', everyMs: 1_000, run: (stopping) => endStandings(deps, stopping) },
    { name: 'flag likenesses', everyMs: 1_000, run: (stopping) => flagLikenesses(deps, stopping) },
    { name: 'check the figures', everyMs: 600_000, run: notAtFirst((stopping) => checkFigures(deps, stopping)) },
    { name: 'keep partitions', everyMs: 600_000, run: (stopping) => keepPartitions(deps, stopping) },
    { name: 'remove old idempotency keys', everyMs: 60_000, run: (stopping) => removeOldKeys(deps, stopping) },
    { name: 'remove leftover uploads', everyMs: 60_000, run: (stopping) => removeLeftoverUploads(deps, stopping) },
  ];
  return {
    deps,
    app,
    startJobs() {
      const running = startJobs(role === 'api' ? ownJobs : [...ownJobs, ...sharedJobs], world.log);
      sender?.start();
      return {
        async stop() {
          await Promise.all([running.stop(), deps.publicCopies.stop(), sender?.stop()]);
          await activity.flush().catch(() => {});
        },
      };
    },
  };
}
