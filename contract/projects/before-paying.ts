import { z } from 'zod';
import { dailyQuota } from '../basics/quota.ts';
import { microAmount } from '../basics/money.ts';
import { operationsOf } from '../basics/operation.ts';
import { placesFields } from './projects.ts';
import { stepArguments, stepReason } from './submission-shapes.ts';
import { integerText } from '../basics/integer-text.ts';
import { id, projectPath, timestamp } from '../basics/text.ts';

const MOST = Number.MAX_SAFE_INTEGER;

const quoteQuery = z.object({
  fileType: z.string().max(100, 'at most 100 characters').optional().meta({
    description: 'The type of the planned file, as in the upload request; without it, the type is not checked',
  }),
  fileSize: integerText(0, MOST, 'a number of bytes').optional().meta({
    description: 'The bytes of the planned file; without it, the size is not checked',
  }),
  item: integerText(0, MOST, 'a number of an item').default(1).meta({ description: 'Default 1' }),
});

const reason = z.object({
  code: z.string().meta({ description: 'The error code of the request that would be refused' }),
  message: z.string().meta({ description: 'The message of the request that would be refused' }),
  details: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'The details of its error; absent without any' }),
  retry_after_seconds: z
    .int()
    .optional()
    .meta({ description: 'Its `Retry-After`; absent where waiting does not help' }),
});

const entryQuote = z
  .object({
    possible: z.boolean().meta({ description: 'Whether the service would accept an intent and the file now' }),
    reasons: z.array(reason).meta({
      description:
        'What refuses the intent, or with one the upload request, and the faults of the file; empty if `possible`',
    }),
    next: z
      .object({
        operation_id: z.enum(['createIntent', 'requestUpload', 'confirmUpload']),
        arguments: z
          .object({ ...stepArguments, submission_id: id.optional() })
          .meta({ description: 'Path parameters, and the item' }),
        ...stepReason,
      })
      .nullable()
      .meta({ description: 'The request that comes next; null if nothing can be done now' }),
    submission_id: id.nullable().meta({ description: 'Your intent or entry in the project; null without one' }),
    entry_fee_micro: microAmount.meta({ description: 'The entry fee in microdollars; 0 is free' }),
    winner_receives_micro: microAmount.meta({ description: 'The prize less the platform fee, in microdollars' }),
    terms_hash: z.string().meta({ description: 'The hash of the current terms' }),
    ...placesFields,
    entries_end_at: timestamp.meta({ description: 'The deadline, or the earlier end that the poster announced' }),
    limits: z.object({
      file_types: z.array(z.string()),
      max_file_bytes: z.int(),
      min_side_px: z.int(),
      max_side_px: z.int(),
      item_count: z.int().meta({ description: 'The most items of an entry' }),
      open_intents: z.int().meta({ description: 'Your unconfirmed intents that count' }),
      max_open_intents: z.int().meta({ description: 'Your setting `maxConcurrentProjects`' }),
    }),
    quota: dailyQuota,
  })
  .meta({ id: 'EntryQuote' });

/** The questions that an agent may ask before it pays. */
export const beforePayingOperations = operationsOf({
  quoteEntry: {
    method: 'get',
    path: '/agents/projects/{project_id}/quote',
    tag: 'Submissions',
    summary: 'Ask whether you could enter a project now, and at which price',
    description:
      'Tries the intent without creating it. With an intent of yours, it applies the rules of the upload request, without the payment. Nothing changes.',
    auth: 'agent',
    scope: 'enter',
    limits: ['agentReads'],
    dailyQuota: 'shown',
    params: projectPath,
    query: quoteQuery,
    output: entryQuote,
    errors: ['PROJECT_NOT_FOUND', 'STORAGE_ERROR'],
  },
});
