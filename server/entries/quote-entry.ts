import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { beforePayingOperations } from '../../contract/projects/before-paying.ts';
import { MAX_FILE_BYTES, uploadBody } from '../../contract/projects/submissions.ts';
import { type AgentRow, requireAgent, requireStanding, restrictionNow, settingsOf } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { hasLivePayment } from '../payments/public.ts';
import { PICTURE_SIDES } from '../pictures/public.ts';
import type { AgentCaller } from '../callers.ts';
import {
  type PublishedProject,
  expectedValueMicro,
  findProjectForEntry,
  placesLeft,
  requireAcceptingEntries,
  requirePlace,
  requireUnfinished,
  winnerReceivesMicro,
} from '../projects/public.ts';
import { tryIntent } from './create-intent.ts';
import { type EntryFacts, type ItemState, nextStep } from './next-step.ts';
import {
  findCurrentFiles,
  findOwnSubmission,
  listOpenIntents,
  type MediaFileRow,
  type SubmissionRow,
} from './queries.ts';
import { requireNothingUploaded } from './request-upload.ts';
import { activeSince, itemFaults } from './state.ts';
import { shownQuota, usedQuota } from './used-quota.ts';

type Operation = typeof beforePayingOperations.quoteEntry;
type Query = Input<Operation>['query'];
type Result = Output<Operation>;

/** The state that decides whether the agent can enter now. */
type Facts = {
  now: Date;
  project: PublishedProject;
  agent: AgentRow;
  /** Null for an active agent. */
  restriction: Awaited<ReturnType<typeof restrictionNow>>;
  entry: SubmissionRow | null;
  quota: Awaited<ReturnType<typeof usedQuota>>;
  openIntents: string[];
};

/** The state of an intent that exists. */
type IntentFacts = { files: MediaFileRow[]; payment: EntryFacts['payment'] };

type Rule = () => unknown;

/**
 * Answers whether the service would accept an intent, or with one, an upload request now. Tries the intent, and calls the
 * rules of the upload request, so that each reason has their words. Changes nothing: the requests check again.
 */
export async function quoteEntry(ctx: Context<AgentCaller>, { params, query }: Input<Operation>): Promise<Result> {
  const facts = await readFacts(ctx, params.project_id);
  const intent = facts.entry?.status === 'pending' ? await readIntent(ctx, facts.entry) : null;
  const rules = intent ? uploadRules(ctx, facts, intent, query.item) : [() => tryIntent(ctx, params.project_id)];
  const reasons = await broken([...rules, () => requireFile(facts.project, query)]);
  const possible = reasons.length === 0;
  return { possible, reasons, next: await nextRequest(ctx, facts, intent, possible), ...shown(facts) };
}

async function readFacts(ctx: Context<AgentCaller>, projectId: string): Promise<Facts> {
  const { db, caller } = ctx;
  const { agentId, tier } = caller;
  const now = ctx.clock.now();
  const project = await findProjectForEntry(db, { projectId, tier, now });
  const [agent, restriction, entry, quota, openIntents] = await Promise.all([
    requireAgent(db, agentId),
    restrictionNow(db, caller, now),
    findOwnSubmission(db, { projectId, agentId }),
    usedQuota(db, caller, now),
    listOpenIntents(db, agentId, { now, activeSince: activeSince(now) }),
  ]);
  return { now, project, agent, restriction, entry, quota, openIntents };
}

async function readIntent({ db }: Context<AgentCaller>, entry: SubmissionRow): Promise<IntentFacts> {
  const [files, isLive] = await Promise.all([
    findCurrentFiles(db, entry.id),
    hasLivePayment(db, { kind: 'entry_fee', subjectId: entry.id }),
  ]);
  // The transaction that settles a payment books the fee.
  const live = isLive ? 'settling' : 'none';
  return { files, payment: entry.entry_fee_paid_micro > 0 ? 'settled' : live };
}

/** The rules of `requestUpload` for an intent that exists, without those of the payment itself. */
function uploadRules(
  ctx: Context<AgentCaller>,
  { now, project, restriction }: Facts,
  { files, payment }: IntentFacts,
  item: number,
): Rule[] {
  const unpaidRules: Rule[] = [
    () => requireAcceptingEntries(project, now, 0),
    () => restriction && requireStanding(restriction.caller, 'active'),
    () => requirePlace(project),
  ];
  return [
    ...(payment === 'none' ? unpaidRules : [() => requireUnfinished(project, now)]),
    () => requireNothingUploaded(ctx, files, item),
  ];
}

/**
 * The rules of the file's description. A member that is left out is not checked. It names all faults at once;
 * `requestUpload` checks the item against the project only when the rest is right.
 */
function requireFile(project: PublishedProject, { fileType = 'image/png', fileSize = 1, item }: Query): void {
  const { error } = uploadBody.safeParse({ fileName: 'picture.png', fileType, fileSize, item });
  const faults = (error?.issues ?? []).map(({ path, message }) => ({ field: path.join('.'), message }));
  if (!faults.some(({ field }) => field === 'item')) faults.push(...itemFaults(project, item));
  if (faults.length > 0) throw validationError(faults);
}

/** Returns the error of each rule that refuses, as the request would answer it. */
async function broken(rules: Rule[]): Promise<Result['reasons']> {
  const reasons: Result['reasons'] = [];
  for (const rule of rules)
    try {
      await rule();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, message, details, retryAfterSeconds: seconds } = error;
      reasons.push({
        code,
        message,
        ...(details ? { details } : {}),
        ...(seconds === undefined ? {} : { retry_after_seconds: Math.max(1, Math.ceil(seconds)) }),
      });
    }
  return reasons;
}

async function nextRequest(
  ctx: Context<AgentCaller>,
  { now, project, restriction, entry }: Facts,
  intent: IntentFacts | null,
  possible: boolean,
): Promise<Result['next']> {
  const { id: projectId } = project;
  if (!entry || !intent) {
    const until = project.entriesEndAt;
    const first = { operation_id: 'createIntent', until, why: 'You have no place in the project yet.' } as const;
    return possible ? { ...first, arguments: { project_id: projectId } } : null;
  }
  const { files, payment } = intent;
  const step = nextStep(
    {
      status: 'pending',
      payment,
      holdsPlace: entry.place_until !== null,
      files: await Promise.all(files.map((file) => itemState(ctx, file))),
      project,
    },
    { now, restriction },
  );
  if (!step) return null;
  const item = step.operation === 'requestUpload' && project.itemCount > 1 ? { item: step.item } : {};
  const { operation: operation_id, until, why } = step;
  return { operation_id, arguments: { project_id: projectId, submission_id: entry.id, ...item }, until, why };
}

async function itemState(
  { storage }: Context<AgentCaller>,
  { item, status, upload_key: key, size_bytes: sizeBytes }: MediaFileRow,
): Promise<ItemState> {
  const stored = status === 'pending' ? await storage.head(key) : null;
  return stored?.sizeBytes === sizeBytes
    ? { item, state: 'uploaded', uploadedAt: stored.modifiedAt }
    : { item, state: 'expected', uploadedAt: null };
}

function shown({ project, agent, entry, quota, openIntents }: Facts): Omit<Result, 'possible' | 'reasons' | 'next'> {
  return {
    submission_id: entry?.id ?? null,
    entry_fee_micro: project.entryFeeMicro,
    winner_receives_micro: winnerReceivesMicro(project.prizeMicro, project.platformFeePpm),
    terms_hash: project.termsHash,
    total_submissions: project.totalSubmissions,
    max_entries: project.maxEntries,
    places_left: placesLeft(project),
    expected_value_micro: expectedValueMicro(project),
    entries_end_at: project.entriesEndAt,
    limits: {
      file_types: uploadBody.shape.fileType.options,
      max_file_bytes: MAX_FILE_BYTES,
      min_side_px: PICTURE_SIDES.least,
      max_side_px: PICTURE_SIDES.most,
      item_count: project.itemCount,
      open_intents: openIntents.length,
      max_open_intents: settingsOf(agent.settings, agent.tier).maxConcurrentProjects,
    },
    quota: shownQuota(quota),
  };
}
