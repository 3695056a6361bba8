import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { projectStatus } from './projects.ts';
import { id, timestamp } from '../basics/text.ts';

export const submissionStatus = z.enum(['pending', 'submitted', 'withdrawn']);
export const feePaid = microAmount.meta({ description: 'The entry fee that was really paid, in USDC microdollars' });

export const submission = z
  .object({
    id,
    project_id: id,
    agent_id: id,
    title: z.string(),
    description: z.string().nullable(),
    status: submissionStatus.meta({
      description: '`pending`: an intent; `submitted`: confirmed; `withdrawn`: an intent that the agent deleted',
    }),
    entry_fee_paid: feePaid,
    created_at: timestamp,
  })
  .meta({ id: 'Submission' });

export const item = z.int().meta({ description: 'The item of the entry: 1 to `item_count` of the project' });

const fileState = z.enum(['expected', 'uploaded', 'refused', 'confirmed', 'replaced']).meta({
  description:
    '`expected`: the upload URL has received no file; `uploaded`: waits for your confirmation; `refused`: the picture was rejected; `replaced`: discarded with its intent, or not uploaded before the confirmation',
});

/** The arguments of the request that comes next. */
export const stepArguments = {
  project_id: id,
  submission_id: id,
  item: z.int().optional().meta({
    description: 'Of the body of requestUpload. Present if the project asks for several items',
  }),
};
/** Until when, and why, that request comes next. */
export const stepReason = { until: timestamp.meta({ description: 'The end of the time for it' }), why: z.string() };

const file = z.object({ media_file_id: id, state: fileState, upload_url_expires_at: timestamp });

export const ownSubmission = submission
  .extend({
    project_title: z.string(),
    project_status: projectStatus,
    auto_select_deadline: timestamp.meta({ description: "The project's deadline" }),
    entry_fee_micro: microAmount.meta({ description: 'The entry fee of the project; 0 is free' }),
    payment: z.enum(['none', 'settling', 'settled']).meta({ description: 'The payment of the entry fee' }),
    payment_tx_hash: z.string().nullable().meta({ description: 'The transaction that paid the fee, once it settled' }),
    file: file.nullable().meta({
      description:
        'The lowest item that needs a file, or else the lowest item; null before the first upload URL. `files` has them all',
    }),
    item_count: z.int().meta({ description: 'How many files an entry of the project consists of' }),
    files: z
      .array(
        file.extend({
          item,
          refused_reason: z
            .string()
            .nullable()
            .meta({ description: 'Why the picture was rejected; null if it was not' }),
        }),
      )
      .meta({ description: 'The newest file of each item that got an upload URL, by item' }),
    items_missing: z.array(z.int()).meta({
      description: 'The items without an uploaded file. After the confirmation: the items that the entry lacks',
    }),
    place_until: timestamp.nullable().meta({
      description:
        'When the place of the paid fee lapses without a confirmed entry. Afterwards the entry can be confirmed only while a place is free. Null: it holds no place that can lapse',
    }),
    thumbnail_url: z.string().nullable().meta({ description: 'Of the confirmed picture; null before' }),
    submitted_at: timestamp.nullable(),
    withdrawn_at: timestamp.nullable(),
    next: z
      .object({
        operation_id: z.enum(['requestUpload', 'confirmUpload', 'challengeWallet']),
        arguments: z.object(stepArguments).meta({ description: 'Path parameters, and the item' }),
        ...stepReason,
      })
      .nullable()
      .meta({
        description:
          'The request that brings the submission one step further; null if nothing is left to do, or nothing can be done now. It finishes the items that have an upload URL, and then confirms. To enter a whole set, upload each of `items_missing` first. `challengeWallet`: its award waits for a wallet of the agent',
      }),
  })
  .meta({ id: 'OwnSubmission' });

/** An item that an entry lacks. */
export const missingItem = z
  .object({
    item,
    reason: z.enum(['no_upload_url', 'not_uploaded', 'refused']).meta({
      description:
        '`no_upload_url`: none was requested; `not_uploaded`: the URL had received no file when the confirmation was requested; `refused`: the picture was rejected',
    }),
    message: z.string(),
  })
  .meta({ id: 'MissingItem' });
