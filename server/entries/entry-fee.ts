import { isProvenForAnother, linkFirstWallet, lockAgent, requireActiveNow, agentsOfWallet } from '../agents/public.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { feesAccount, REVENUE } from '../ledger/public.ts';
import { liveSubjects, requirePrize } from '../payments/public.ts';
import {
  confirmableUntil,
  type PublishedProject,
  expectedValueMicro,
  lockProjectForEntry,
  findPublished,
  placesLeft,
  requireAcceptingEntries,
  requirePlace,
  takePlace,
  requireStatedTerms,
  termsUrl,
} from '../projects/public.ts';
import { prepareUpload, recordUpload, type UploadDeps } from './prepare-upload.ts';
import { disqualifyUndecided } from './entry-queries.ts';
import {
  agentIdSql,
  findSubmission,
  isKeptFee,
  listIntentsAt,
  projectIdSql,
  recordFee,
  type SubmissionRow,
} from './queries.ts';
import { holdPlace } from './place-queries.ts';
import { freePlaceOf } from './places.ts';
import { requireForeignFunds, submissionNotFound } from './state.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { EntryFeeOrder, PayableSubject, PreparedUpload } from '../payments/types.ts';

const FEE_LOST = 'Its entry fee is not on chain any more, and was not paid again.';

/** Within this time, an agent that got PAYMENT_PENDING repeats its request. */
const REPEAT_MS = 5 * 60_000;

/**
 * Returns the payable subject of entry fees. A fee buys an upload URL, and the transaction that books the fee records
 * the media file. When a fee settles after the entry can no longer be confirmed, the service owes it back.
 *
 * The claim takes a place of the project under its lock. It is freed when its time ends, or the fee fails or is owed back.
 */
export function entryFeeSubject(
  deps: UploadDeps & Pick<Deps, 'config' | 'publicUrl'>,
): PayableSubject<EntryFeeOrder, PreparedUpload> {
  return {
    quote({ project, submissionId }) {
      return {
        kind: 'entry_fee',
        subjectId: submissionId,
        network: project.network,
        asset: project.asset,
        payTo: project.payTo,
        amountMicro: project.entryFeeMicro,
        resourceUrl: `${deps.publicUrl}/api/v1/agents/projects/${project.id}/submissions/${submissionId}`,
        description: `Entry fee of submission ${submissionId}`,
        termsHash: project.termsHash,
        termsUrl: termsUrl(deps.publicUrl, project.id),
      };
    },

    mayPresent: async (db, { agent }, payer) =>
      !(await isProvenForAnother(db, { agentId: agent.agentId, address: payer })),

    checkOrder({ project, readFile, offeredTerms }, payer) {
      requireStatedTerms(deps.publicUrl, project, readFile().terms_hash ?? offeredTerms);
      requireForeignFunds(project, payer);
    },

    claim: (tx, order, payer) => claimFee(deps, tx, order, payer),

    prepare: async ({ project, submissionId, readFile }) =>
      await prepareUpload(deps, { projectId: project.id, submissionId }, readFile()),

    async lock(tx, submissionId) {
      // Every transaction locks in this order: project, submission, agent. The locking statements look up the ids
      // themselves, so that the three share one round trip.
      const [project, submission, agent] = await Promise.all([
        lockProjectOf(tx, submissionId),
        findSubmission(tx, submissionId, 'for update'),
        lockAgent(tx, agentIdSql(tx, submissionId)),
      ]);
      return async (payment, upload, isAnswered = false) => {
        if (!project || !submission || !agent) return { refused: 'the submission is gone' };
        const refused = refusalOf(project, submission, payment.at);
        if (refused !== null) {
          await freePlaceOf(tx, { submissionId, projectId: project.id });
          return { refused };
        }
        const { payer, at: now } = payment;
        const writes = Promise.all([
          upload !== undefined && !(isAnswered && isNearEnd(project, now)) && recordUpload(tx, upload),
          recordFee(tx, submission.id, payment.amountMicro),
          linkFirstWallet(deps, tx, agent, { payer, byOwner: submission.paid_by_owner, now }),
          holdPlaceAgain(tx, submission, now),
        ]);
        return { creditTo: feesAccount(submission.project_id), writes: writes.then(([recorded]) => recorded) };
      };
    },

    async release(tx, submissionId) {
      const project = await lockProjectOf(tx, submissionId);
      if (project) await freePlaceOf(tx, { submissionId, projectId: project.id });
    },

    ...whileVanished(deps),
    unpaidBy,
    reserve: (tx, submissionId) => reservePlace(deps, tx, submissionId),

    describe: ({ project }) => ({ project: placesShown(deps.publicUrl, project) }),
  };
}

/**
 * Whether an agent that got PAYMENT_PENDING may come too late with its repeat. Before, a URL counts as handed out, because the
 * repeat gets it; here its entry counts as unserved, and the fee goes back.
 */
function isNearEnd(project: PublishedProject, now: Date): boolean {
  return now.getTime() > confirmableUntil(project).getTime() - REPEAT_MS;
}

/** Locks the project of a submission, so that the caller may change its places. */
async function lockProjectOf(tx: Tx, submissionId: string): Promise<PublishedProject | null> {
  return await findPublished(tx, projectIdSql(tx, submissionId), 'for no key update');
}

/**
 * Takes a place for the fee. Throws when the agent may not pay now; the rollback then frees the place.
 */
async function claimFee(
  { clock, publicUrl }: Pick<Deps, 'clock' | 'publicUrl'>,
  tx: Tx,
  { agent, project: { id: projectId, termsHash }, submissionId, readFile }: EntryFeeOrder,
  payer: string,
): Promise<void> {
  const now = clock.now();
  // Under the submission's lock, so that the agent cannot delete the intent while its payment is claimed. The lock is
  // shared, because many requests may bring one payment at once.
  const [project, submission] = await Promise.all([
    lockProjectForEntry(tx, { projectId, tier: agent.tier, now }, 'for no key update'),
    findSubmission(tx, submissionId, 'for share'),
    requirePrize(tx, projectId, 'Nothing was charged'),
    requireActiveNow(tx, agent, now),
    takePlace(tx, projectId),
    holdPlace(tx, submissionId, { now, byOwner: agent.scope === 'owner' }),
  ]);
  if (submission?.status !== 'pending') throw submissionNotFound();
  requireAcceptingEntries(project, now, 0);
  // The quote, and so the receipt, name the terms that this request read.
  requireStatedTerms(publicUrl, project, readFile().terms_hash ?? termsHash);
  requireForeignFunds(project, payer);
  // The row as it was before this claim.
  requirePlace(project);
}

/** Returns the steps for an entry whose fee vanished from the chain. */
function whileVanished(
  deps: Pick<Deps, 'newId'>,
): Required<Pick<PayableSubject<EntryFeeOrder>, 'vanished' | 'lost' | 'settledAgain'>> {
  return {
    vanished: markUnpaid,
    lost: (tx, submissionId, at) => disqualifyUnpaid(deps, tx, submissionId, at),
    async settledAgain(tx, { id, subjectId, amountMicro }) {
      await recordFee(tx, subjectId, amountMicro);
      // The end of the project took the fees that nobody gets back, and this one was not there.
      return (await isKeptFee(tx, { submissionId: subjectId, paymentId: id })) ? REVENUE : null;
    },
  };
}

/** Counts the entry as unpaid until its fee has settled again. Returns whether the fee is kept. */
async function markUnpaid(tx: Tx, { id, subjectId }: { id: string; subjectId: string }): Promise<boolean> {
  await lockProjectOf(tx, subjectId);
  if (await findSubmission(tx, subjectId, 'for update')) await recordFee(tx, subjectId, 0);
  return await isKeptFee(tx, { submissionId: subjectId, paymentId: id });
}

/** Disqualifies a confirmed entry whose fee is finally lost, unless its project is decided. */
async function disqualifyUnpaid(deps: Pick<Deps, 'newId'>, tx: Tx, submissionId: string, at: Date): Promise<void> {
  await lockProjectOf(tx, submissionId);
  const entry = await disqualifyUndecided(tx, submissionId, { reason: FEE_LOST, at });
  if (entry === null) return;
  const { agentId, projectId } = entry;
  const data = { project_id: projectId, submission_id: submissionId, reason: FEE_LOST };
  await recordEvents(deps, tx, at, [{ agent: agentId, type: 'SUBMISSION.DISQUALIFIED', data }]);
  await recordAudit(deps, tx, {
    at,
    actor: 'service',
    action: 'submission.disqualify',
    subject: `submission:${submissionId}`,
    reason: FEE_LOST,
    details: { project_id: projectId },
  });
}

/** For a recovery: the unpaid intents of the agents with this wallet, in projects with this fee. */
async function unpaidBy(
  db: Queryable,
  { payer, amountMicro, at }: { payer: string; amountMicro: number; at: Date },
): Promise<string[]> {
  const agents = await agentsOfWallet(db, payer);
  const intents = await listIntentsAt(db, agents, { feeMicro: amountMicro, now: at });
  const live = await liveSubjects(db, 'entry_fee', intents);
  return intents.filter((id) => !live.includes(id));
}

/** For a recovery: takes the place of a fee that was paid before. Returns false if the entry can no longer be paid. */
async function reservePlace({ clock }: Pick<Deps, 'clock'>, tx: Tx, submissionId: string): Promise<boolean> {
  const project = await lockProjectOf(tx, submissionId);
  const submission = await findSubmission(tx, submissionId, 'for update');
  const now = clock.now();
  if (!project || submission?.status !== 'pending' || refusalOf(project, submission, now) !== null) return false;
  await holdPlaceAgain(tx, submission, now);
  return true;
}

/** Gives a fee its whole time, because its payment has used some of it, and its place if that has lapsed. */
async function holdPlaceAgain(tx: Tx, submission: SubmissionRow, now: Date): Promise<void> {
  if (submission.status !== 'pending') return;
  if (submission.place_until === null) await takePlace(tx, submission.project_id);
  await holdPlace(tx, submission.id, { now, byOwner: submission.paid_by_owner });
}

/** Returns the members of `placesFields` in the contract, and the hash and address of the terms. */
function placesShown(publicUrl: string, project: EntryFeeOrder['project']) {
  return {
    total_submissions: project.totalSubmissions,
    max_entries: project.maxEntries,
    places_left: placesLeft(project),
    expected_value_micro: expectedValueMicro(project),
    terms_hash: project.termsHash,
    terms_url: termsUrl(publicUrl, project.id),
  };
}

/** Returns why the fee can no longer be taken; null when it can. */
function refusalOf(project: PublishedProject, submission: SubmissionRow, at: Date): string | null {
  if (submission.status === 'withdrawn') return 'the intent was deleted';
  if (project.status !== 'open') return `the project is ${project.status}`;
  if (submission.status === 'pending' && submission.place_until === null && placesLeft(project) === 0)
    return 'its place lapsed while the payment settled, and the project is full';
  return at > confirmableUntil(project) ? 'the deadline of the project has passed' : null;
}
