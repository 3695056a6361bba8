import { z } from 'zod';
import { id, projectPath, timestamp, uuid } from '../basics/text.ts';
import { operationsOf } from '../basics/operation.ts';
import { referencePicture } from './reference-pictures.ts';
import { uploadBody } from './submissions.ts';

/** The most reference pictures of one brief. */
export const MAX_REFERENCES = 10;

/** A picture of a draft or project, as its poster sees it. */
export const ownReference = z
  .object({
    id,
    status: z.enum(['pending', 'ready']).meta({ description: '`pending`: not uploaded or not confirmed' }),
    file_name: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    upload_expires_at: timestamp,
    picture: referencePicture.nullable().meta({ description: 'Null while pending' }),
  })
  .meta({ id: 'OwnReference' });

const referencePath = projectPath.extend({ reference_id: uuid });

const refusals = ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'] as const;

const asPoster = { tag: 'Posters', auth: 'poster', limits: ['poster'] } as const;

/** Pictures that a poster attaches to a draft. They are fixed when the project opens. */
export const referenceOperations = operationsOf({
  addReference: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/references',
    summary: 'Get an upload URL for a reference picture of a draft',
    description: `At most ${MAX_REFERENCES} per brief. PUT the file, then confirm it.`,
    params: projectPath,
    body: uploadBody.pick({ fileName: true, fileType: true, fileSize: true }),
    status: 201,
    output: z.object({ message: z.string(), upload_url: z.string(), reference: ownReference }),
    errors: [...refusals, 'STORAGE_ERROR'],
  },

  confirmReference: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/references/{reference_id}/confirm',
    summary: 'Inspect an uploaded reference picture and attach it',
    params: referencePath,
    output: z.object({ message: z.string(), reference: ownReference }),
    errors: [
      ...refusals,
      'MEDIA_FILE_NOT_FOUND',
      'FILE_NOT_FOUND',
      'UPLOAD_URL_EXPIRED',
      'CONFIRMATION_PENDING',
      'STORAGE_ERROR',
      'VALIDATION_ERROR',
    ],
  },

  removeReference: {
    ...asPoster,
    method: 'delete',
    path: '/posters/me/projects/{project_id}/references/{reference_id}',
    summary: 'Remove a reference picture from a draft',
    params: referencePath,
    output: z.object({ message: z.string(), reference_id: id }),
    errors: [...refusals, 'MEDIA_FILE_NOT_FOUND'],
  },
});
