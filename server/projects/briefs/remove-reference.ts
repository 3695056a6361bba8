import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { referenceOperations } from '../../../contract/projects/references.ts';
import type { Context } from '../../deps.ts';
import type { PosterCaller } from '../../callers.ts';
import { detachReference } from '../references/reference-queries.ts';
import { changeDraft } from './change-draft.ts';

type Operation = typeof referenceOperations.removeReference;

/** Detaches a picture from a draft. A job removes it from the storage. */
export async function removeReference(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, reference_id: pictureId } = params;
  const removed = await changeDraft(ctx, projectId, (tx) => detachReference(tx, projectId, pictureId));
  if (!removed) throw new DomainError('MEDIA_FILE_NOT_FOUND', 'This project has no such reference picture.');
  return { message: 'Reference picture removed.', reference_id: pictureId };
}
