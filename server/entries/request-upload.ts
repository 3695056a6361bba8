import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { submissionOperations } from '../../contract/projects/submissions.ts';
import { requireStanding, requireActiveNow } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { collectPayment, type PaymentsSeen, seePayments } from '../payments/public.ts';
import {
  requireAcceptingEntries,
  requirePlace,
  requireUnfinished,
  type PublishedProject,
  findProjectForEntry,
  requireStatedTerms,
} from '../projects/public.ts';
import { prepareUpload, recordUpload } from './prepare-upload.ts';
import {
  findCurrentFiles,
  findOwnSubmission,
  findSubmission,
  type MediaFileRow,
  type SubmissionRow,
} from './queries.ts';
import { requireItem, submissionConflict, submissionNotFound } from './state.ts';
import type { AgentCaller } from '../callers.ts';
import type { EntryFeeOrder, PreparedUpload, SettlementReceipt, PaymentInRequest } from '../payments/types.ts';

type Operation = typeof submissionOperations.requestUpload;

type Paid = { data: Output<Operation>; receipt: SettlementReceipt | null };
type Request = Input<Operation> & { payment: PaymentInRequest };

const ATTEMPTS = 3;

/**
 * Works like `payAndDeliver`. A client may name no terms. If the terms change while its payment is checked, the request
 * starts over with the new terms. So the quote and the receipt always name the terms under which the fee was charged.
 */
export async function requestUpload(ctx: Context<AgentCaller>, request: Request): Promise<Paid> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await payAndDeliver(ctx, request);
    } catch (error) {
      const isMoved = error instanceof DomainError && error.code === 'TERMS_CHANGED';
      if (!isMoved || attempt === ATTEMPTS || namesTerms(request)) throw error;
    }
  }
}

/**
 * Collects the entry fee, at most once, and returns an upload URL. The specification orders the checks: the intent, the
 * payment, the description of the file. A request without a payment learns the price first, whatever else it lacks. An
 * agent is never charged for an invalid description. `entryFeeSubject` holds the steps of the payment. A restricted agent
 * gets a URL only for a fee that settled, or that was claimed before.
 */
async function payAndDeliver(
  ctx: Context<AgentCaller>,
  { params, readHeaders, readBody, payment }: Request,
): Promise<Paid> {
  const forwardedFor = payment === null ? undefined : readHeaders()['x-forwarded-for'];
  const { project, submission, files, seen, isPaying } = await findEntry(ctx, params, payment);
  const readFile = () => {
    readHeaders();
    const file = readBody();
    requireItem(project, file.item);
    return file;
  };
  // Files exist only after the payment, so the description may be read now.
  if (files.length > 0) await requireNothingUploaded(ctx, files, readFile().item);
  const offered = offeredTerms(payment);
  const order = { agent: ctx.caller, submissionId: submission.id, project, offeredTerms: offered, readFile };
  if (!isPaying) {
    // The request waits for a payment that was claimed while the agent was active, whatever the agent's standing is now.
    requireStanding(ctx.caller, 'active');
    requirePlace(project);
    requireStatedTerms(ctx.publicUrl, project, statedTerms(readBody));
  }
  if (project.entryFeeMicro === 0) return { data: uploadAnswer(await deliverUpload(ctx, order), 0), receipt: null };
  const paying = { order, payment, seen, ...(forwardedFor === undefined ? {} : { forwardedFor }) };
  const collected = await collectPayment(ctx, ctx.payments.subjects.entry_fee, paying);
  const upload = collected.delivered ?? (await deliverUpload(ctx, order));
  return { data: uploadAnswer(upload, collected.payment.amountMicro), receipt: collected.receipt };
}

function namesTerms({ readBody, payment }: Request): boolean {
  return (statedTerms(readBody) ?? offeredTerms(payment)) !== undefined;
}

/** Returns the hash in the offer that the payment answers. Clients of x402 v2 send the offer back by themselves. */
function offeredTerms(payment: PaymentInRequest): string | undefined {
  return payment !== null && 'authorization' in payment ? payment.offeredTerms : undefined;
}

/** Returns the hash that the request names. An invalid body is refused later, because the answer 402 comes first. */
function statedTerms(readBody: EntryFeeOrder['readFile']): string | undefined {
  try {
    return readBody().terms_hash;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Issues an upload URL in a free project, or when the fee was booked without one. Supersedes an earlier upload URL. */
async function deliverUpload(
  ctx: Context<AgentCaller>,
  { project, submissionId, readFile }: EntryFeeOrder,
): Promise<PreparedUpload> {
  const upload = await prepareUpload(ctx, { projectId: project.id, submissionId }, readFile());
  const free = project.entryFeeMicro === 0;
  const [submission, recorded] = await withTransaction(ctx.db, (tx) =>
    Promise.all([
      findSubmission(tx, submissionId, 'for update'),
      recordUpload(tx, upload),
      free && requireActiveNow(tx, ctx.caller, upload.createdAt),
    ]),
  );
  if (submission?.status === 'withdrawn') throw submissionNotFound();
  if (!recorded) throw alreadyConfirmed(submissionId);
  return upload;
}

async function findEntry(
  ctx: Context<AgentCaller>,
  params: Input<Operation>['params'],
  payment: PaymentInRequest,
): Promise<{
  project: PublishedProject;
  submission: SubmissionRow;
  files: MediaFileRow[];
  seen: PaymentsSeen;
  /** The fee is paid, or is being settled. */
  isPaying: boolean;
}> {
  const now = ctx.clock.now();
  const { project_id: projectId, submission_id: submissionId } = params;
  const { id: network, usdc } = ctx.network;
  const subject = { kind: 'entry_fee', subjectId: submissionId, network, asset: usdc.address } as const;
  const [project, submission, files, seen] = await ctx.db.together((db) =>
    Promise.all([
      findProjectForEntry(db, { projectId, tier: ctx.caller.tier, now }),
      findOwnSubmission(db, { submissionId, projectId, agentId: ctx.caller.agentId }),
      findCurrentFiles(db, submissionId),
      seePayments(db, subject, payment),
    ]),
  );
  if (!submission) throw submissionNotFound();
  if (submission.status === 'submitted') throw alreadyConfirmed(submissionId);
  // While the poster closes the project, an entry whose fee is paid or settling can still be finished.
  const isPaying = seen.live !== null || submission.entry_fee_paid_micro > 0;
  if (isPaying) requireUnfinished(project, now);
  else requireAcceptingEntries(project, now, 0);
  return { project, submission, files, seen, isPaying };
}

/**
 * Refuses a repeated request, which would discard the uploaded file of an item that waits for its confirmation. While
 * the confirmation is under way, no item gets a file.
 */
export async function requireNothingUploaded(
  ctx: Context<AgentCaller>,
  files: MediaFileRow[],
  item: number,
): Promise<void> {
  const confirming = files.find((each) => each.confirm_requested_at !== null);
  if (confirming) throw alreadyConfirmed(confirming.submission_id);
  const file = files.find((each) => each.item === item);
  if (file?.status !== 'pending' || file.expires_at <= ctx.clock.now()) return;
  const stored = await ctx.storage.head(file.upload_key);
  if (stored?.sizeBytes !== file.size_bytes) return;
  throw submissionConflict(
    'SUBMISSION_ALREADY_EXISTS',
    `A file was uploaded for item ${item} of this submission. Confirm it; if it is refused, a new upload URL costs nothing.`,
    [file.submission_id],
  );
}

function uploadAnswer(upload: PreparedUpload, paidMicro: number): Output<Operation> {
  const { id, submissionId, item, uploadKey, contentType, sizeBytes, expiresAt, url } = upload;
  return {
    message: `PUT the file to uploadUrl with Content-Type ${contentType} and exactly ${sizeBytes} bytes, then confirm.`,
    uploadUrl: url,
    mediaFileId: id,
    fileName: uploadKey.slice(uploadKey.lastIndexOf('/') + 1),
    submissionId,
    item,
    expiresAt,
    entry_fee_paid: paidMicro,
  };
}

function alreadyConfirmed(submissionId: string): DomainError {
  const message = 'This submission is confirmed, or is being confirmed.';
  return submissionConflict('SUBMISSION_ALREADY_EXISTS', message, [submissionId]);
}
