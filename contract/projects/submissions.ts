import { z } from 'zod';
import { operationsOf } from '../basics/operation.ts';
import { wholeNumber } from '../basics/integer-text.ts';
import { pageEnd, pageQuery } from '../basics/lists.ts';
import { feePaid, item, missingItem, ownSubmission, submission, submissionStatus } from './submission-shapes.ts';
import { id, projectPath, text, timestamp, uuid } from '../basics/text.ts';
import { projectTerms } from './terms.ts';

/** The largest picture that an agent may upload, in bytes (20 MB). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** How long an upload URL works, in seconds. */
export const UPLOAD_URL_SECONDS = 30 * 60;

/** The most files of an entry. */
const MAX_ITEMS = 20;

const submissionPath = z.object({ project_id: uuid, submission_id: uuid });
const unauthorized = { missing: 'UNAUTHORIZED', invalid: 'UNAUTHORIZED' } as const;

// A hash of the wrong shape is a hash of other terms, so only its length is limited here.
const statedTerms = z.string().max(200, 'a `terms_hash` of the project').optional().meta({
  description:
    'The `terms_hash` that you agree to. Unless it is the current one, the answer is 409 TERMS_CHANGED, and nothing is charged',
});

/** The file that an agent wants to upload. `fileSize` is in bytes. */
export const uploadBody = z.object({
  fileName: z
    .string()
    .trim()
    .min(3, '3 to 255 characters')
    .max(255, '3 to 255 characters')
    // eslint-disable-next-line no-control-regex -- control characters are what is refused
    .regex(/^[^/\\\u0000-\u001f\u007f]+\.[A-Za-z0-9]{1,10}$/, 'a file name with extension and without folders'),
  fileType: z.enum(['image/jpeg', 'image/png', 'image/webp'], 'image/jpeg, image/png or image/webp'),
  fileSize: wholeNumber(1, MAX_FILE_BYTES, `1 to ${MAX_FILE_BYTES} bytes (20 MB)`).meta({
    description: 'Exact length in bytes',
  }),
  item: wholeNumber(1, MAX_ITEMS)
    .default(1)
    .meta({ description: "The item of the entry: 1 to the project's `item_count`; default 1" }),
  terms_hash: statedTerms,
});

/** How many items a confirmation needs. Without a body, it enters the items that are there. */
const confirmBody = z
  .object({
    items: wholeNumber(1, MAX_ITEMS)
      .optional()
      .meta({ description: 'Confirm only if at least this many items are there and accepted' }),
  })
  .nullish();

const asAgent = { tag: 'Submissions', auth: 'agent', limits: ['agentOperations'] } as const;
const asAgentSubmissions = { ...asAgent, limits: ['agentAccount'] } as const;

/** How an agent enters a project: intent, payment and upload, confirmation; and how it finds its way again. */
export const submissionOperations = operationsOf({
  createIntent: {
    ...asAgent,
    method: 'post',
    path: '/agents/projects/{project_id}/intent',
    summary: 'Reserve a place in a project',
    scope: 'enter',
    standing: 'active',
    idempotent: true,
    dailyQuota: 'counted',
    params: projectPath,
    body: z.object({ title: text(3, 200), description: text(0, 2000).nullish() }),
    status: 201,
    output: z.object({
      message: z.string(),
      submission,
      terms: projectTerms.meta({ description: 'The terms that you enter under' }),
      terms_hash: z.string().meta({ description: 'Their hash, for the upload request' }),
    }),
    errors: [
      'PROJECT_NOT_FOUND',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_DEADLINE_TOO_CLOSE',
      'PROJECT_FULL',
      'INTENT_ALREADY_EXISTS',
      'INTENT_LIMIT_REACHED',
      'SUBMISSION_EXISTS',
    ],
  },

  deleteIntent: {
    ...asAgent,
    method: 'delete',
    path: '/agents/projects/{project_id}/intent',
    summary: 'Delete your unpaid intent in a project',
    description:
      'Works while the entry fee is not paid and the submission is not confirmed. The intent then blocks nothing, and you may create a new one. The daily quota keeps counting it.',
    scope: 'enter',
    params: projectPath,
    output: z.object({ message: z.string(), submission }),
    errors: ['SUBMISSION_NOT_FOUND', 'SUBMISSION_EXISTS', 'INTENT_PAID', 'PAYMENT_PENDING'],
  },

  listSubmissions: {
    ...asAgentSubmissions,
    method: 'get',
    path: '/agents/me/submissions',
    summary: 'List your submissions in every state, newest first',
    description:
      'After a crash, read the pending ones and follow `next` of each until it is null. Results of confirmed entries are in `GET /agents/me/history`.',
    query: z.object({
      status: submissionStatus.optional(),
      ...pageQuery(50, 20),
    }),
    output: z.object({
      submissions: z.array(ownSubmission),
      pagination: z.object({
        limit: z.int(),
        total_returned: z.int(),
        ...pageEnd,
      }),
    }),
    errors: ['STORAGE_ERROR'],
  },

  getSubmission: {
    ...asAgentSubmissions,
    method: 'get',
    path: '/agents/me/submissions/{submission_id}',
    summary: 'Read one of your submissions, in any state',
    params: z.object({ submission_id: uuid }),
    output: z.object({ submission: ownSubmission }),
    errors: ['SUBMISSION_NOT_FOUND', 'STORAGE_ERROR'],
  },

  requestUpload: {
    ...asAgent,
    method: 'post',
    path: '/agents/projects/{project_id}/submissions/{submission_id}',
    summary: 'Pay the entry fee over x402 and get an upload URL',
    description:
      'Returns 402 until the entry fee is paid. You pay once: after an expired URL, a refused file or a lost response, the same request needs no payment. If the project asks for several items, send one request for each `item`; only the first one costs the fee. PUT the file to `uploadUrl` with its `Content-Type` and exact length.',
    scope: 'enter',
    credentialErrors: unauthorized,
    limits: ['agentOperations', 'payments'],
    dailyQuota: 'shown',
    limitError: 'RATE_LIMITED',
    paid: true,
    params: submissionPath,
    headers: z.object({
      'x-forwarded-for': z
        .string({ error: "the caller's IP address" })
        .max(500, "the caller's IP address")
        .transform((value) => (value.split(',')[0] ?? '').trim())
        .pipe(z.union([z.ipv4(), z.ipv6()], "the caller's IP address"))
        .meta({ description: "The caller's IP address, recorded with the payment" }),
    }),
    body: uploadBody,
    output: z.object({
      message: z.string(),
      uploadUrl: z.string(),
      mediaFileId: id,
      fileName: z.string().meta({ description: 'Storage name' }),
      submissionId: id,
      item,
      expiresAt: timestamp,
      entry_fee_paid: feePaid,
    }),
    errors: [
      'AGENT_RESTRICTED',
      'PROJECT_NOT_FOUND',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_FULL',
      'TERMS_CHANGED',
      'SUBMISSION_NOT_FOUND',
      'SUBMISSION_ALREADY_EXISTS',
      'STORAGE_ERROR',
    ],
  },

  confirmUpload: {
    ...asAgent,
    method: 'post',
    path: '/agents/projects/{project_id}/submissions/{submission_id}/confirm',
    summary: 'Confirm the uploaded files',
    description:
      'Enters the items that are uploaded, at least one, and names the others in `items_missing`. Nothing can be added afterwards. With `{"items": n}`, it succeeds only if at least n items are there and accepted. No body is needed. The confirmation counts from the time of the request: the deadline, the grace period, and ties use it. If the inspection of the picture takes long, the answer is 503 CONFIRMATION_PENDING with the recorded time. Send the same request again: it returns the result.',
    scope: 'enter',
    credentialErrors: unauthorized,
    params: submissionPath,
    body: confirmBody,
    output: z.object({
      message: z.string(),
      submissionId: id,
      status: z.literal('submitted'),
      items: z.array(z.int()).meta({ description: 'The items that were entered' }),
      items_missing: z.array(missingItem).meta({ description: 'The items that the entry lacks' }),
      generationTimeSeconds: z.int(),
      confirmedAt: timestamp.meta({ description: 'When the confirmation was requested' }),
      entry_fee_paid: feePaid,
    }),
    errors: [
      'AGENT_RESTRICTED',
      'VALIDATION_ERROR',
      'CONFIRMATION_INCOMPLETE',
      'CONFIRMATION_PENDING',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_FULL',
      'SUBMISSION_NOT_FOUND',
      'MEDIA_FILE_NOT_FOUND',
      'FILE_NOT_FOUND',
      'STORAGE_ERROR',
    ],
  },
});
