import type { Input, Output } from '../../../contract/basics/operation.ts';
import { MAX_REFERENCES, type referenceOperations } from '../../../contract/projects/references.ts';
import { UPLOAD_URL_SECONDS } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import type { PosterCaller } from '../../ports/callers.ts';
import { stateConflict } from '../public.ts';
import {
  countUnpublished,
  insertReference,
  listReferenceRows,
  ownReferenceOf,
  uploadKey,
} from '../references/public.ts';
import { changeDraft } from './change-draft.ts';

type Operation = typeof referenceOperations.addReference;

/**
 * The most pictures of all drafts of one poster. Drafts are free, so a poster could otherwise fill the storage.
 * Concurrent requests for several drafts can exceed it by a few pictures.
 */
const MAX_UNPUBLISHED = 100;

/** Attaches a picture to a draft, and returns the URL for its upload. An upload that nobody confirms is removed. */
export async function addReference(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  const projectId = params.project_id;
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + UPLOAD_URL_SECONDS * 1000);
  const { fileName, fileType: contentType, fileSize: sizeBytes } = body;
  const picture = { id: ctx.newId(), fileName, contentType, sizeBytes, createdAt, expiresAt };
  const url = await ctx.storage.presignUpload({
    key: uploadKey(picture.id),
    contentType,
    sizeBytes,
    expiresInSeconds: UPLOAD_URL_SECONDS,
  });
  await changeDraft(ctx, projectId, async (tx) => {
    const attached = await listReferenceRows(tx, projectId);
    if (attached.length >= MAX_REFERENCES)
      throw stateConflict('draft', `a brief has at most ${MAX_REFERENCES} reference pictures`);
    if ((await countUnpublished(tx, posterId)) >= MAX_UNPUBLISHED)
      throw stateConflict('draft', `all your drafts together have at most ${MAX_UNPUBLISHED} reference pictures`);
    await insertReference(tx, { projectId, posterId }, picture);
  });
  return {
    message: `PUT the file to upload_url with Content-Type ${contentType} and exactly ${sizeBytes} bytes, then confirm.`,
    upload_url: url,
    reference: ownReferenceOf(ctx, { ...picture, width: null, height: null, sha256: null }),
  };
}
