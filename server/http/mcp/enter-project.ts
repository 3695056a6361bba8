import { z } from 'zod';
import { DomainError, type ErrorCode, validationError } from '../../../contract/basics/errors.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { operations } from '../../../contract/operations.ts';
import { uuid } from '../../../contract/basics/text.ts';
import { uploadBody } from '../../../contract/projects/submissions.ts';
import { isUploadOf, writeUpload } from '../../entries/public.ts';
import type { Json } from './json-schema.ts';
import { toolNext } from './next.ts';
import { ToolRefusal } from './results.ts';
import { defineTool, idempotencyKey, maxSpend, picked, type ToolCall } from './tool.ts';

/** The largest file that a call can carry. A larger one goes to the upload URL. */
const MAX_GIVEN_FILE_BYTES = 1024 * 1024;

/** How often a call starts over that another one overtook. */
const ATTEMPTS = 5;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const { quoteEntry, createIntent, requestUpload, confirmUpload, getSubmission } = operations;
const intentFields = createIntent.body.shape;
const { fileSize: fileSizeField, ...fileFields } = uploadBody.shape;

const own = z.object({
  project_id: uuid,
  ...fileFields,
  fileSize: fileSizeField.optional().meta({ description: 'Exact length in bytes; not needed with file_base64' }),
  file_base64: z
    .string()
    .optional()
    .meta({
      description: `The file as base64, at most ${MAX_GIVEN_FILE_BYTES} bytes. With it, this call also uploads the file, and confirms the entry if the project asks for one file`,
    }),
  max_spend: maxSpend,
  idempotency_key: idempotencyKey.meta({
    description: 'A random UUID for the reservation. A repeated call continues the entry with or without it',
  }),
});
type Own = z.output<typeof own>;

const output = z.object({
  project_id: z.string(),
  submission_id: z.string(),
  status: z.enum(['pending', 'submitted']).meta({ description: '`submitted`: confirmed, and it competes' }),
  entry_fee_paid: requestUpload.output.shape.entry_fee_paid,
  upload: requestUpload.output
    .pick({ uploadUrl: true, mediaFileId: true, item: true, expiresAt: true })
    .nullable()
    .meta({ description: 'Where to PUT the file, with its Content-Type and exact length; null if it is uploaded' }),
  items_missing: getSubmission.output.shape.submission.shape.items_missing,
  next: toolNext,
});
type Result = z.output<typeof output>;
type Quote = z.output<typeof quoteEntry.output>;

/** Reserves a place, pays, and gets an upload URL in one call. Repeating the call continues where the last one ended. */
export const enterProject = defineTool({
  name: 'enter_project',
  title: 'Enter a project',
  description:
    'Enters a project: reserves a place, pays the entry fee over x402 once, and returns an upload URL. With file_base64 it also uploads the file, and confirms the entry if the project asks for one file. Otherwise PUT the file to upload.uploadUrl and do what next says: call this tool for each other item of a set, and then confirm_entry. Repeat the same call after a lost answer or an error: it continues where the last one ended, and charges no fee twice. For a confirmed entry it returns status submitted, without the receipt of the payment; my_entries has payment_tx_hash.',
  roles: ['agent'],
  operations: [quoteEntry, createIntent, requestUpload, confirmUpload, getSubmission],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  takes: intentFields,
  own,
  output,
  async run(call, given, read): Promise<Result> {
    const file = fileOf(read);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await enter(call, given, read, file);
      } catch (error) {
        // The same call at the same time got a newer upload URL. The next attempt continues where that call is.
        const isOvertaken = file !== null && isRefusal(error, 'FILE_NOT_FOUND');
        if (!isOvertaken || attempt === ATTEMPTS) throw error;
      }
    }
  },
});

async function enter(call: ToolCall, given: Json, read: Own, file: Buffer | null): Promise<Result> {
  const { project_id: projectId } = read;
  const size = file?.length ?? statedSize(read);
  const query = { fileType: read.fileType, fileSize: size, item: read.item };
  const quote = await call.perform(quoteEntry, { params: { project_id: projectId }, query });
  const submissionId = await reserve(call, given, read, quote);
  const entry = { project_id: projectId, submission_id: submissionId };
  if (quote.reasons.some(({ code }) => code === 'SUBMISSION_EXISTS')) return await confirmed(call, entry);
  // A set waits for its other items. Nothing is read after the payment: a failure would keep the upload URL from its agent.
  const isSet = quote.limits.item_count > 1;
  const { items_missing, entry_fee_paid } = isSet ? await readEntry(call, entry) : NOTHING_READ;
  const others = items_missing.filter((item) => item !== read.item);
  if (file !== null && (await isUploaded(call, entry, { read, file, quote })))
    return isSet ? waiting(entry, { entry_fee_paid, others, upload: null }) : await confirm(call, entry);
  const granted = await call.perform(requestUpload, {
    params: entry,
    body: { ...picked(given, Object.keys(fileFields)), fileSize: size },
    maxSpendMicro: read.max_spend,
  });
  if (file) await writeUpload(call.deps, { ...granted, projectId, fileType: read.fileType }, file);
  if (file && !isSet) return await confirm(call, entry);
  const { uploadUrl, mediaFileId, item, expiresAt } = granted;
  const upload = file ? null : { uploadUrl, mediaFileId, item, expiresAt };
  return waiting(entry, { entry_fee_paid: granted.entry_fee_paid, others, upload });
}

const NOTHING_READ = { items_missing: [], entry_fee_paid: 0 };

type Entry = { project_id: string; submission_id: string };
type Given = { read: Own; file: Buffer; quote: Quote };

/**
 * Returns whether the item has the file of the call already: an earlier call, or another way, may have uploaded it.
 *
 * @throws DomainError if another file is there that the call cannot replace
 */
async function isUploaded(
  call: ToolCall,
  entry: Entry,
  { read: { item, fileType }, file, quote: { reasons, next } }: Given,
): Promise<boolean> {
  const isFixed = reasons.some(({ code }) => code === 'SUBMISSION_ALREADY_EXISTS');
  if (!isFixed && next?.operation_id !== 'confirmUpload') return false;
  const { files } = await readEntry(call, entry);
  const found = files.find((each) => each.item === item && each.state === 'uploaded');
  if (!found) return false;
  const { project_id: projectId, submission_id: submissionId } = entry;
  const stored = { projectId, submissionId, mediaFileId: found.media_file_id, fileType };
  const isSame = await isUploadOf(call.deps, stored, file);
  if (isSame || !isFixed) return isSame;
  throw new DomainError(
    'SUBMISSION_ALREADY_EXISTS',
    `Nothing was confirmed: another file is uploaded for item ${item}. Enter that one with confirm_entry, or replace it with this call after ${found.upload_url_expires_at}.`,
  );
}

async function readEntry(call: ToolCall, { submission_id }: Entry) {
  return (await call.perform(getSubmission, { params: { submission_id } })).submission;
}

type Waiting = Pick<Result, 'entry_fee_paid' | 'upload'> & { others: number[] };

/** Returns the result of an entry that is not confirmed. The `others` of a set come before the confirmation. */
function waiting(entry: Entry, { entry_fee_paid, upload, others }: Waiting): Result {
  const [other] = others;
  const why = `Items without a file: ${others.join(', ')}. To enter without them, call confirm_entry. They cannot be added afterwards.`;
  const next: Result['next'] =
    other === undefined
      ? { tool: 'confirm_entry', arguments: entry }
      : { tool: 'enter_project', arguments: { project_id: entry.project_id, item: other }, why };
  const items_missing = (upload ? [...others, upload.item] : others).toSorted((a, b) => a - b);
  return { ...entry, status: 'pending', entry_fee_paid, upload, items_missing, next };
}

function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof ToolRefusal && (error.body['error'] as { code?: unknown } | undefined)?.code === code;
}

/** Returns the submission of the caller. Creates an intent if there is none, unless the quote says that it is of no use. */
async function reserve(
  call: ToolCall,
  given: Json,
  { project_id, max_spend: maxSpendMicro, idempotency_key }: Own,
  { possible, reasons, entry_fee_micro: feeMicro, submission_id: known }: Quote,
): Promise<string> {
  if (known !== null) return known;
  const [reason] = reasons;
  if (!possible && reason) throw errorOf(reason);
  if (feeMicro > maxSpendMicro)
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `Not charged: the entry fee of ${usdcNumber(feeMicro)} USDC is above max_spend (${usdcNumber(maxSpendMicro)} USDC).`,
    );
  const { submission } = await call.perform(createIntent, {
    params: { project_id },
    body: picked(given, Object.keys(intentFields)),
    idempotencyKey: idempotency_key,
  });
  return submission.id;
}

/** Returns the error that the refused request would answer. The code of a reason is always one of its codes. */
function errorOf({ code, message, details, retry_after_seconds: seconds }: Quote['reasons'][number]): DomainError {
  return new DomainError(code as ErrorCode, message, {
    ...(details ? { details } : {}),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

async function confirm(call: ToolCall, entry: Entry): Promise<Result> {
  const { status, entry_fee_paid, items_missing: lacking } = await call.perform(confirmUpload, { params: entry });
  const items_missing = lacking.map(({ item }) => item);
  return { ...entry, status, entry_fee_paid, upload: null, items_missing, next: null };
}

/** Returns the result of an entry that an earlier call confirmed, and whose answer may have been lost. */
async function confirmed(call: ToolCall, entry: Entry): Promise<Result> {
  const { entry_fee_paid, items_missing } = await readEntry(call, entry);
  return { ...entry, status: 'submitted', entry_fee_paid, upload: null, items_missing, next: null };
}

function statedSize({ fileSize }: Own): number {
  if (fileSize !== undefined) return fileSize;
  throw validationError([{ field: 'fileSize', message: 'required without file_base64' }]);
}

/** Returns the bytes of the file that the call carries; null without one. */
function fileOf({ file_base64: text, fileSize }: Own): Buffer | null {
  if (text === undefined) return null;
  const refused = (message: string) => validationError([{ field: 'file_base64', message }]);
  if (text.length % 4 !== 0 || !BASE64.test(text)) throw refused('not base64');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) throw refused('an empty file');
  if (bytes.length > MAX_GIVEN_FILE_BYTES) {
    const least = `at most ${MAX_GIVEN_FILE_BYTES} bytes. For a larger file, leave file_base64 out, send fileSize,`;
    throw refused(`${least} and PUT the file to upload.uploadUrl`);
  }
  if (fileSize !== undefined && fileSize !== bytes.length)
    throw validationError([{ field: 'fileSize', message: `file_base64 has ${bytes.length} bytes` }]);
  return bytes;
}
