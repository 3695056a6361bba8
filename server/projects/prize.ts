import type { DomainError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { escrowAccount } from '../ledger/public.ts';
import { announceProject } from './announce-project.ts';
import { winnerReceivesMicro } from './places.ts';
import { takePublicationTime } from './publication/publication-clock.ts';
import { liveSubjects, requirePrize } from '../payments/public.ts';
import { findPosterOfWallet, lockMayPublish, isSuspended } from '../posters/public.ts';
import { hasFundedFrom, listDraftsOf } from './list-queries.ts';
import { scheduleNextCheck } from './lifecycle.ts';
import { requireProject } from './locks.ts';
import { findProject, transition } from './queries.ts';
import { freezeReferences } from './references/reference-queries.ts';
import { briefOf, type ProjectRow } from './rows.ts';
import { latestFrom, requireEntryFee, requireTimeToOpen, stateConflict } from './state.ts';
import { currentRules } from './terms/market-rules.ts';
import { freezeTerms } from './terms/freeze-terms.ts';
import type { Opening } from './terms/project-terms.ts';
import { termsUrl } from './terms/stated-terms.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { PayableSubject, PrizeOrder, BookedPayment } from '../payments/types.ts';
import type { Tx } from '../db/database.ts';

/**
 * Returns the payable subject of a project's prize. When the prize settles, the project opens. The project keeps the
 * network, token, and treasury of that payment, so that every entry fee uses the same ones. A prize that settles after
 * the deadline is owed back, because no agent could enter the project.
 *
 * @param opened called after a project has opened and its announcement is committed
 */
export function prizeSubject(
  deps: Pick<Deps, 'ai' | 'clock' | 'config' | 'network' | 'newId' | 'payTo' | 'publicUrl'>,
  opened: () => void = () => {},
): PayableSubject<PrizeOrder> {
  const { clock, config, network, payTo, publicUrl } = deps;
  return {
    quote({ projectId, prizeMicro }) {
      return {
        kind: 'escrow',
        subjectId: projectId,
        network: network.id,
        asset: network.usdc.address.toLowerCase(),
        payTo,
        amountMicro: prizeMicro,
        resourceUrl: `${publicUrl}/api/v1/posters/me/projects/${projectId}/publish`,
        description: `Prize of project ${projectId}`,
        termsUrl: termsUrl(publicUrl, projectId),
      };
    },

    mayPresent: async (db, { posterId }, payer) =>
      (await findPosterOfWallet(db, payer)) === posterId || (await hasFundedFrom(db, { posterId, wallet: payer })),

    /** Checks that the poster pays the quoted prize and that the project could still open. */
    async claim(tx, { projectId, posterId, prizeMicro }) {
      const project = await requireProject(tx, { projectId, posterId }, 'for update');
      // Another payment has opened the project. The claim finds that payment and charges nothing.
      if (project.status === 'open') return await requirePrize(tx, projectId, 'Nothing was charged');
      if (project.status !== 'draft') throw notPublishable(project.status);
      await lockMayPublish(tx, posterId);
      if (project.prizeMicro !== prizeMicro) throw stateConflict(project.status, PRIZE_CHANGED);
      requireEntryFee(project, config);
      requireTimeToOpen(project, clock.now(), config);
    },

    async lock(tx, projectId) {
      const project = await findProject(tx, { projectId }, 'for update');
      return async (payment) => {
        if (!project) return { refused: 'the project is gone' };
        const refused = refusalOf(project, payment);
        if (refused !== null) return { refused };
        const termsHash = await open(deps, tx, project, payment);
        return { creditTo: escrowAccount(projectId), termsHash };
      };
    },

    /** The timer cancels a project without its prize. */
    async lost(tx, projectId, at) {
      const project = await findProject(tx, { projectId }, 'for update');
      if (!project || project.awardedAt !== null) return;
      if (project.status === 'open' || project.status === 'judging') await scheduleNextCheck(tx, projectId, at);
    },

    async unpaidBy(db, { payer, amountMicro, at }) {
      const posterId = await findPosterOfWallet(db, payer);
      const drafts = await listDraftsOf(db, { posterId, wallet: payer, prizeMicro: amountMicro, now: at });
      const live = await liveSubjects(db, 'escrow', drafts);
      return drafts.filter((id) => !live.includes(id));
    },

    async reserve(tx, projectId) {
      const project = await findProject(tx, { projectId }, 'for update');
      if (project?.status !== 'draft' || project.deadline <= clock.now()) return false;
      return !(await isSuspended(tx, project.posterId));
    },

    afterCommit: opened,
  };
}

/**
 * Opens a project whose prize is booked, freezes its terms and pictures, and announces it, all in the booking transaction.
 * Returns the hash of the terms, which the receipt of the prize names.
 */
async function open(
  deps: Pick<Deps, 'ai' | 'clock' | 'config' | 'newId'>,
  tx: Tx,
  project: ProjectRow,
  payment: BookedPayment,
): Promise<string> {
  const { config } = deps;
  const at = await takePublicationTime(tx, deps);
  const visibleAt = new Date(at.getTime() + config.earlyAccessSeconds * 1000);
  const latest = latestDeadline(project.deadline, at, config.maxOpenDays);
  const referenceSha256s = await freezeReferences(tx, project.id);
  const agreed = { ...openingOf(deps, project, payment, latest), referenceSha256s };
  const terms = freezeTerms(tx, agreed, at);
  const opening = transition(tx, {
    projectId: project.id,
    from: 'draft',
    to: 'open',
    actor: `payment:${payment.id}`,
    reason: null,
    at,
    set: {
      network: payment.network,
      asset: payment.asset,
      pay_to: payment.payTo,
      funding_wallet: payment.payer,
      due_at: project.deadline,
      latest_deadline: latest,
      confirm_grace_seconds: agreed.rules.confirmGraceSeconds,
      place_hold_seconds: agreed.rules.placeHoldSeconds,
      terms_version: terms.version,
      terms_hash: terms.hash,
      published_at: at,
      visible_at: visibleAt,
    },
  });
  // The outbox gets its rows in this transaction, so webhooks announce only a project that is committed as open.
  const announced = { ...project, termsHash: terms.hash };
  await Promise.all([terms.written, opening, announceProject(deps, tx, announced, { at, visibleAt })]);
  return terms.hash;
}

/** Returns what the terms of a project depend on when it opens. */
function openingOf(
  { ai, config }: Pick<Deps, 'ai' | 'config'>,
  project: ProjectRow,
  { network, asset, payTo }: BookedPayment,
  latest: Date,
): Omit<Opening, 'referenceSha256s'> {
  const { id: projectId, platformFeePpm, prizeMicro } = project;
  return {
    projectId,
    brief: briefOf(project),
    platformFeePpm,
    winnerReceivesMicro: winnerReceivesMicro(prizeMicro, platformFeePpm),
    network,
    asset,
    payTo,
    latestDeadline: latest,
    rules: currentRules(config, { ...project, aiJudge: ai !== null }),
  };
}

const PRIZE_CHANGED = 'its prize was changed meanwhile, and nothing was charged; publish it again';

/** Returns why the prize can no longer open the project; null when it can. */
function refusalOf(
  project: { status: ProjectStatus; prizeMicro: number; deadline: Date },
  payment: { amountMicro: number; at: Date },
): string | null {
  if (project.status !== 'draft') return `the project is ${project.status}`;
  if (project.prizeMicro !== payment.amountMicro) return 'the prize of the project has changed';
  return payment.at >= project.deadline ? 'the deadline of the project has passed' : null;
}

/**
 * Returns the time after which no deadline of the project may lie. A deadline that was valid at the claim stays valid,
 * even if the setting changed before the prize was booked.
 */
function latestDeadline(deadline: Date, openedAt: Date, maxOpenDays: number): Date {
  return new Date(Math.max(deadline.getTime(), latestFrom(openedAt, maxOpenDays).getTime()));
}

/** Returns the refusal to publish a project that is neither a draft nor open. */
export function notPublishable(status: ProjectStatus): DomainError {
  return stateConflict(status, 'only a draft can be published');
}
