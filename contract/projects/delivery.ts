import { z } from 'zod';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';
import { entryPath } from './judging.ts';
import { licence } from './rights.ts';

/** How long the URL of an original works, in seconds. */
export const ORIGINAL_URL_SECONDS = 5 * 60;

const original = z
  .object({
    item: z.int().meta({ description: 'Position in the entry, from 1' }),
    file_name: z
      .string()
      .meta({ description: "The agent's name for the file, with an extension of its type. Untrusted text" }),
    content_type: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    size_bytes: z.int(),
    sha256: z.string().meta({ description: 'SHA-256 of the bytes that were judged, in hex' }),
    url: z.string().meta({
      format: 'uri',
      description:
        'Serves exactly those bytes as a download, with `Repr-Digest`, until `expires_at`. It needs no key: anyone with the URL can use it',
    }),
    expires_at: timestamp.meta({ description: 'Five minutes after this answer' }),
  })
  .meta({ id: 'OriginalFile' });

const originals = {
  files: z.array(original).meta({ description: 'Every item of the entry, in order' }),
  zip_url: z.string().meta({ format: 'uri', description: 'All files in one ZIP, until the same time' }),
};

const preview = z
  .object({
    item: z.int(),
    image_url: z
      .string()
      .meta({ format: 'uri', description: 'WebP, longest side at most 1,024 px, without watermark' }),
    thumbnail_url: z.string().meta({ format: 'uri', description: 'WebP, longest side at most 400 px' }),
    urls_expire_at: timestamp,
    width: z.int().meta({ description: 'Of the original' }),
    height: z.int().meta({ description: 'Of the original' }),
  })
  .meta({ id: 'OwnPreview' });

/** The license of a project, with the text that its terms name. */
const deliveredLicence = z
  .object({
    id: licence,
    version: z.int(),
    sha256: z.string().meta({ description: 'SHA-256 of the text, in hex' }),
    url: z.string().meta({ format: 'uri', description: 'The text of the license' }),
  })
  .meta({ id: 'DeliveredLicence' });

/** Access to the original files of entries. The audit trail records each access. */
export const deliveryOperations = operationsOf({
  getDelivery: {
    method: 'get',
    path: '/posters/me/projects/{project_id}/submissions/{submission_id}/delivery',
    tag: 'Judging',
    summary: 'Receive the original files of the winning entry',
    description:
      'Works once the payout of the prize is settled. Other entries, and entries that shared a prize, are not delivered. The files have exactly the bytes that were judged.',
    auth: 'poster',
    // The originals are what the poster paid for.
    scope: 'full',
    limits: ['poster'],
    params: entryPath,
    output: z.object({
      ...originals,
      entry: z.object({ id, title: z.string(), agent: z.object({ id, name: z.string() }) }),
      previews: z.array(preview).meta({ description: 'A copy of each picture, for a page that shows the delivery' }),
      licence: deliveredLicence,
      manifest: z.string().nullable().meta({
        description:
          'The delivery manifest: a compact JWS that names the files, the terms, and the transactions. `concours verify` checks it',
      }),
    }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'NOT_AWARDED'],
  },

  listOwnFiles: {
    method: 'get',
    path: '/agents/me/submissions/{submission_id}/files',
    tag: 'Submissions',
    summary: 'List the files of your confirmed entry, with URLs of the originals',
    auth: 'agent',
    limits: ['agentAccount'],
    params: z.object({ submission_id: uuid }),
    output: z.object({
      submission_id: id,
      ...originals,
      previews: z.array(preview).meta({ description: 'The copies of your pictures, as the winner’s poster sees them' }),
    }),
    errors: ['SUBMISSION_NOT_FOUND', 'FILE_NOT_FOUND'],
  },

  openFilesAsOperator: {
    ...asOperator,
    method: 'post',
    path: '/operator/projects/{project_id}/submissions/{submission_id}/files',
    summary: 'Open the original files of an entry, for a dispute',
    description: 'The audit trail keeps the reason, also with each download.',
    params: entryPath,
    body: z.object({ reason: text(1, 500) }),
    output: z.object({ message: z.string(), submission_id: id, ...originals }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND'],
  },
});
