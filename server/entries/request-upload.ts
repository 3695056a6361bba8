import { DomainError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/operation.ts';
import { type submissionOperations, UPLOAD_URL_SECONDS, type uploadBody } from '../../contract/submissions.ts';
import type { z } from 'zod';
import { requireStanding } from '../agents/accounts/public.ts';
import { requireActiveNow } from '../agents/standing/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import {
  type Alongside,
  collectPayment,
  type KnownStanding,
  type PaymentHooks,
  readStanding,
} from '../payments/public.ts';
import {
  requireAcceptingEntries,
  type EntryProject,
  findProjectForEntry,
  lockProjectForEntry,
} from '../projects/public.ts';
import {
  findCurrentFile,
  findOwnSubmission,
  insertMediaFile,
  lockSubmission,
  type MediaFileRow,
  type SubmissionRow,
  supersedePendingFile,
} from './queries.ts';
import { requireForeignFunds } from './state.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';
import type { SettlementReceipt, PaymentInRequest, PaymentQuote } from '../ports/payments.ts';

type Operation = typeof submissionOperations.requestUpload;
type UploadBody = z.output<typeof uploadBody>;

const EXTENSIONS: Record<UploadBody['fileType'], string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/**
 * Takes the entry fee, once ever, and gives an upload URL. The order is the specification's: the intent, the
 * payment, the file's description, the URL, the record of the file; a bad description is never charged.
 */
export async function requestUpload(
  ctx: Context<AgentCaller>,
  { params, headers, readBody, payment }: Input<Operation> & { payment: PaymentInRequest },
): Promise<{ data: Output<Operation>; receipt: SettlementReceipt | null }> {
  const { project, submission, file, standing } = await findEntry(ctx, params, payment);
  await requireNothingUploaded(ctx, file);
  // What was claimed while the agent was active is waited for, whatever it is by now.
  const unpaid = project.entryFeeMicro > 0 && submission.entry_fee_paid_micro === 0 && standing.live === null;
  if (unpaid) requireStanding(ctx.caller, 'active');
  const upload = uploadOnce(ctx, submission, readBody);
  const receipt = await takeFee(ctx, {
    project,
    submission,
    payment,
    standing,
    readBody,
    forwardedFor: headers['x-forwarded-for'],
    // Its URL is signed while the chain takes the payment, and told once it is paid.
    whileSettling: () => void upload.prepare().catch(() => {}),
    alongside: upload.alongside,
  });
  return { data: await upload.record(), receipt };
}

/** The upload of one request: a payment that this request itself books takes the record of the file with it. */
function uploadOnce(ctx: Context<AgentCaller>, submission: SubmissionRow, readBody: () => UploadBody) {
  let preparing: Promise<Upload> | null = null;
  let prepared: Upload | null = null;
  let written: { upload: Upload; inserted: boolean; isSure: boolean } | null = null;
  const prepareAnew = () => prepareUpload(ctx, submission, readBody());
  const prepare = () => (preparing ??= prepareAnew().then((upload) => (prepared = upload)));
  const alongside: Alongside = {
    async write(tx) {
      if (prepared === null) return;
      written = { upload: prepared, inserted: false, isSure: false };
      written.inserted = await recordUpload(tx, submission, readBody(), prepared);
    },
    written() {
      if (written) written.isSure = true;
    },
  };
  return {
    prepare,
    alongside,
    async record(): Promise<Output<Operation>> {
      if (written?.isSure) return uploadAnswer(submission, readBody(), written);
      // What may have been written is superseded by another one.
      const upload = await (written ? prepareAnew() : prepare());
      const [, inserted] = await withTransaction(ctx.db, (tx) =>
        Promise.all([lockSubmission(tx, submission.id), recordUpload(tx, submission, readBody(), upload)]),
      );
      return uploadAnswer(submission, readBody(), { upload, inserted });
    },
  };
}

async function findEntry(
  ctx: Context<AgentCaller>,
  params: Input<Operation>['params'],
  payment: PaymentInRequest,
): Promise<{
  project: EntryProject;
  submission: SubmissionRow;
  file: MediaFileRow | null;
  standing: KnownStanding;
}> {
  const now = ctx.clock.now();
  const { project_id: projectId, submission_id: submissionId } = params;
  const { id: network, usdc } = ctx.network;
  const fee = { kind: 'entry_fee', subjectId: submissionId, network, asset: usdc.address.toLowerCase() } as const;
  const [project, submission, file, standing] = await Promise.all([
    findProjectForEntry(ctx.reads, { projectId, tier: ctx.caller.tier, now }),
    findOwnSubmission(ctx.reads, { submissionId, projectId, agentId: ctx.caller.agentId }),
    findCurrentFile(ctx.reads, submissionId),
    readStanding(ctx.reads, fee, payment),
  ]);
  if (!submission) throw new DomainError('SUBMISSION_NOT_FOUND', 'No such submission. Create an intent first.');
  if (submission.status === 'submitted') throw alreadyConfirmed();
  requireAcceptingEntries(project, now, 0);
  return { project, submission, file, standing };
}

// A file that was uploaded and waits is not thrown away by a repeated request; its URL could no longer be told.
async function requireNothingUploaded(ctx: Context<AgentCaller>, file: MediaFileRow | null): Promise<void> {
  if (file?.status !== 'pending' || file.expires_at <= ctx.clock.now()) return;
  const stored = await ctx.storage.head(file.upload_key);
  if (stored?.sizeBytes !== file.size_bytes) return;
  throw new DomainError(
    'SUBMISSION_ALREADY_EXISTS',
    'A file was uploaded for this submission. Confirm it; if it is refused, a new upload URL costs nothing.',
  );
}

type FeeRequest = {
  project: EntryProject;
  submission: SubmissionRow;
  payment: PaymentInRequest;
  standing: KnownStanding;
  readBody: () => UploadBody;
  forwardedFor: string;
  whileSettling: () => void;
  alongside: Alongside;
};

async function takeFee(
  ctx: Context<AgentCaller>,
  { project, submission, payment, standing, readBody, forwardedFor, whileSettling, alongside }: FeeRequest,
): Promise<SettlementReceipt | null> {
  if (project.entryFeeMicro === 0) return null;
  const quote: PaymentQuote = {
    kind: 'entry_fee',
    subjectId: submission.id,
    network: project.network,
    asset: project.asset,
    payTo: project.payTo,
    amountMicro: project.entryFeeMicro,
    resourceUrl: `${ctx.publicUrl}/api/v1/agents/projects/${project.id}/submissions/${submission.id}`,
    description: `Entry fee of submission ${submission.id}`,
  };
  const hooks: PaymentHooks = {
    forwardedFor,
    beforeClaim: () => void readBody(),
    claim: (tx, payer) => requireStillOpen(ctx, tx, project.id, payer),
    whileSettling,
    alongside,
  };
  const { receipt } = await collectPayment(ctx, quote, payment, hooks, standing);
  return receipt;
}

async function requireStillOpen(ctx: Context<AgentCaller>, tx: Tx, projectId: string, payer: string): Promise<void> {
  const now = ctx.clock.now();
  const [project] = await Promise.all([
    lockProjectForEntry(tx, { projectId, tier: ctx.caller.tier, now }),
    requireActiveNow(tx, ctx.caller, now),
  ]);
  requireAcceptingEntries(project, now, 0);
  requireForeignFunds(project, payer);
}

type Upload = { id: string; fileName: string; key: string; url: string; createdAt: Date; expiresAt: Date };

async function prepareUpload(
  ctx: Context<AgentCaller>,
  submission: SubmissionRow,
  { fileType, fileSize }: UploadBody,
): Promise<Upload> {
  const id = ctx.newId();
  const fileName = `${id}.${EXTENSIONS[fileType]}`;
  const key = `uploads/${submission.project_id}/${submission.id}/${fileName}`;
  const createdAt = ctx.clock.now();
  const url = await ctx.storage.presignUpload({
    key,
    contentType: fileType,
    sizeBytes: fileSize,
    expiresInSeconds: UPLOAD_URL_SECONDS,
  });
  return { id, fileName, key, url, createdAt, expiresAt: new Date(createdAt.getTime() + UPLOAD_URL_SECONDS * 1000) };
}

/** False when the submission is confirmed: then nothing was superseded, and nothing inserted. The caller locks it. */
async function recordUpload(tx: Tx, submission: SubmissionRow, body: UploadBody, upload: Upload): Promise<boolean> {
  const file = {
    id: upload.id,
    submissionId: submission.id,
    uploadKey: upload.key,
    originalName: body.fileName,
    contentType: body.fileType,
    sizeBytes: body.fileSize,
    now: upload.createdAt,
    expiresAt: upload.expiresAt,
  };
  const [, inserted] = await Promise.all([supersedePendingFile(tx, submission.id), insertMediaFile(tx, file)]);
  return inserted;
}

function uploadAnswer(
  submission: SubmissionRow,
  body: UploadBody,
  { upload, inserted }: { upload: Upload; inserted: boolean },
): Output<Operation> {
  if (!inserted) throw alreadyConfirmed();
  return {
    message: `PUT the file to uploadUrl with Content-Type ${body.fileType} and exactly ${body.fileSize} bytes, then confirm.`,
    uploadUrl: upload.url,
    mediaFileId: upload.id,
    fileName: upload.fileName,
    submissionId: submission.id,
    expiresAt: upload.expiresAt,
  };
}

function alreadyConfirmed(): DomainError {
  return new DomainError('SUBMISSION_ALREADY_EXISTS', 'This submission is already confirmed.');
}
