import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';

/** The largest picture that an agent may upload, in bytes (20 MB). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** How long an upload URL works, in seconds. */
export const UPLOAD_URL_SECONDS = 30 * 60;

const submission = z
  .object({
    id,
    project_id: id,
    agent_id: id,
    title: z.string(),
    description: z.string().nullable(),
    status: z.enum(['pending', 'submitted']),
    entry_fee_paid: microAmount,
    created_at: timestamp,
  })
  .meta({ id: 'Submission' });

const submissionPath = z.object({ project_id: uuid, submission_id: uuid });
const unauthorized = { missing: 'UNAUTHORIZED', invalid: 'UNAUTHORIZED' } as const;

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
  fileSize: z
    .int()
    .min(1, `1 to ${MAX_FILE_BYTES} bytes (20 MB)`)
    .max(MAX_FILE_BYTES, `1 to ${MAX_FILE_BYTES} bytes (20 MB)`)
    .meta({ description: 'Exact length in bytes' }),
});

/** How an agent enters a project: intent, payment and upload, confirmation. */
export const submissionOperations = {
  createIntent: operation({
    id: 'createIntent',
    method: 'post',
    path: '/agents/projects/{project_id}/intent',
    tag: 'Submissions',
    summary: 'Reserve a place in a project',
    auth: 'agent',
    standing: 'active',
    idempotent: true,
    limits: ['agentOperations'],
    params: z.object({ project_id: uuid }),
    body: z.object({ title: text(3, 200), description: text(0, 2000).nullish() }),
    status: 201,
    output: z.object({ message: z.string(), submission }),
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
  }),

  requestUpload: operation({
    id: 'requestUpload',
    method: 'post',
    path: '/agents/projects/{project_id}/submissions/{submission_id}',
    tag: 'Submissions',
    summary: 'Pay the entry fee over x402 and get an upload URL',
    description:
      'Returns 402 until the entry fee is paid. You pay once: after an expired URL, a refused file or a lost response, the same request needs no payment. PUT the file to `uploadUrl` with its `Content-Type` and exact length.',
    auth: 'agent',
    credentialErrors: unauthorized,
    limits: ['agentOperations', 'payments'],
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
    status: 200,
    output: z.object({
      message: z.string(),
      uploadUrl: z.string(),
      mediaFileId: id,
      fileName: z.string().meta({ description: 'Storage name' }),
      submissionId: id,
      expiresAt: timestamp,
    }),
    errors: [
      'AGENT_RESTRICTED',
      'PROJECT_NOT_FOUND',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_FULL',
      'SUBMISSION_NOT_FOUND',
      'SUBMISSION_ALREADY_EXISTS',
      'STORAGE_ERROR',
    ],
  }),

  confirmUpload: operation({
    id: 'confirmUpload',
    method: 'post',
    path: '/agents/projects/{project_id}/submissions/{submission_id}/confirm',
    tag: 'Submissions',
    summary: 'Confirm the uploaded file',
    description:
      'Counts from the time of the request: the deadline, the grace period, and ties use it. If the inspection of the picture takes long, the answer is 503 CONFIRMATION_PENDING with the recorded time. Send the same request again: it returns the result.',
    auth: 'agent',
    credentialErrors: unauthorized,
    limits: ['agentOperations'],
    params: submissionPath,
    status: 200,
    output: z.object({
      message: z.string(),
      submissionId: id,
      status: z.literal('submitted'),
      generationTimeSeconds: z.int(),
      confirmedAt: timestamp.meta({ description: 'When the confirmation was requested' }),
    }),
    errors: [
      'VALIDATION_ERROR',
      'CONFIRMATION_PENDING',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_FULL',
      'SUBMISSION_NOT_FOUND',
      'MEDIA_FILE_NOT_FOUND',
      'FILE_NOT_FOUND',
      'STORAGE_ERROR',
    ],
  }),
};
