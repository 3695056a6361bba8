import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { referenceOperations } from '../../../contract/projects/references.ts';
import type { Context } from '../../deps.ts';
import { inspectUpload } from '../../pictures/public.ts';
import type { PosterCaller } from '../../callers.ts';
import type { Tx } from '../../db/database.ts';
import type { ImageFacts } from '../../pictures/types.ts';
import {
  confirmReferenceRow,
  type Lease,
  leaseReference,
  listReferenceRows,
  type ReferenceRow,
  releaseReference,
  uploadKey,
} from '../references/reference-queries.ts';
import { ownReferenceOf } from '../references/shown-references.ts';
import { changeDraft } from './add-reference.ts';

type Operation = typeof referenceOperations.confirmReference;
type Target = { projectId: string; pictureId: string };

/**
 * Inspects an uploaded picture like an entry, and keeps its bytes where no URL can write. It takes turns with
 * entries. A repeated request returns the same answer.
 */
export async function confirmReference(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const target = { projectId: params.project_id, pictureId: params.reference_id };
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + ctx.inspections.times.leaseMs);
  const key = `originals/references/${target.pictureId}/${ctx.newId()}`;
  const row = await changeDraft(ctx, target.projectId, (tx) => begin(tx, target, { key, now, until }));
  const confirmed = row.sha256 === null ? await inspectAndRecord(ctx, target, row, key) : row;
  return { message: 'The picture is attached.', reference: ownReferenceOf(ctx, confirmed) };
}

/** Takes the lease, so that one process inspects the picture, unless the picture is confirmed. */
async function begin(tx: Tx, target: Target, lease: Lease): Promise<ReferenceRow> {
  const row = await find(tx, target);
  if (row.sha256 !== null) return row;
  if (row.expiresAt <= lease.now)
    throw new DomainError('UPLOAD_URL_EXPIRED', 'The time for this upload is over. Request a new upload URL.');
  if (await leaseReference(tx, row.id, lease)) return row;
  throw beingInspected();
}

function beingInspected(): DomainError {
  return new DomainError('CONFIRMATION_PENDING', 'This picture is being inspected. Confirm again shortly.', {
    retryAfterSeconds: 2,
  });
}

async function inspectAndRecord(
  ctx: Context<PosterCaller>,
  target: Target,
  row: ReferenceRow,
  key: string,
): Promise<ReferenceRow> {
  try {
    const facts = await ctx.pictureTurns.run(ctx.caller.posterId, () => inspectAndKeep(ctx, row, key));
    const recorded = await changeDraft(ctx, target.projectId, async (tx) => {
      // The lease ran out, and another process inspects the picture.
      if (!(await confirmReferenceRow(tx, row.id, key, { ...facts, at: ctx.clock.now() }))) throw beingInspected();
      return await find(tx, target);
    });
    ctx.publicCopies.prepare(row.id);
    return recorded;
  } catch (error) {
    await releaseReference(ctx.db, row.id, key);
    // Nothing was recorded. After any other failure, it may have been, and the next inspection removes what is left.
    if (error instanceof DomainError) await ctx.storage.remove(key);
    throw error;
  }
}

async function inspectAndKeep(ctx: Context<PosterCaller>, row: ReferenceRow, key: string): Promise<ImageFacts> {
  const { storage, inspectImage } = ctx;
  const stored = await storage.head(uploadKey(row.id));
  const bytes = stored?.sizeBytes === row.sizeBytes ? await storage.read(uploadKey(row.id), row.sizeBytes) : null;
  if (!bytes)
    throw new DomainError(
      'FILE_NOT_FOUND',
      'The file is not in storage. PUT it to the upload URL, then confirm again.',
    );
  const inspected = await inspectUpload(inspectImage, row, bytes);
  if ('reason' in inspected) {
    // Otherwise each repeat would read and decode the same file again.
    await storage.remove(uploadKey(row.id));
    throw validationError([{ field: 'file', message: `${inspected.reason}. PUT another file, then confirm again` }]);
  }
  if (row.originalKey !== null) await storage.remove(row.originalKey);
  await storage.write(key, bytes, row.contentType);
  return inspected.facts;
}

async function find(tx: Tx, { projectId, pictureId }: Target): Promise<ReferenceRow> {
  const row = (await listReferenceRows(tx, projectId)).find(({ id }) => id === pictureId);
  if (!row) throw new DomainError('MEDIA_FILE_NOT_FOUND', 'This project has no such reference picture.');
  return row;
}
