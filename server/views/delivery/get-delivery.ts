import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../../contract/projects/delivery.ts';
import type { Context } from '../../deps.ts';
import { submissionNotFound } from '../../entries/public.ts';
import type { PosterCaller } from '../../ports/callers.ts';
import { projectNotFound } from '../../projects/public.ts';
import { licenceUrl } from '../../projects/terms/public.ts';
import { deliveryManifest } from '../manifest/public.ts';
import { type DeliverableEntry, findDeliverable, listOriginals } from './delivery-queries.ts';
import { grantOriginals } from './grant.ts';

type Operation = typeof deliveryOperations.getDelivery;

/**
 * Returns URLs of the originals that a poster has bought: every item of the entry whose prize has left the project. The
 * audit trail gets a record of each answer.
 */
export async function getDelivery(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const { posterId } = ctx.caller;
  const entry = await findDeliverable(ctx.views, { projectId, submissionId });
  if (entry?.posterId !== posterId) throw projectNotFound();
  if (entry.submissionId === null) throw submissionNotFound();
  if (!entry.paid) throw notAwarded();
  const files = await listOriginals(ctx.views, submissionId);
  const manifest = await deliveryManifest(ctx, { projectId, submissionId });
  const originals = await grantOriginals(ctx, { actor: `poster:${posterId}`, projectId, submissionId, files });
  return { ...originals, licence: licenceOf(ctx, entry), manifest };
}

function licenceOf(
  { publicUrl }: Context,
  { licence: id, licenceVersion: version }: DeliverableEntry,
): Output<Operation>['licence'] {
  return id === null || version === null ? null : { id, url: licenceUrl(publicUrl, { id, version }) };
}

function notAwarded(): DomainError {
  const rule = 'The originals of an entry are delivered after it has won and its prize is settled.';
  return new DomainError('NOT_AWARDED', `${rule} Entries that shared a prize are not delivered.`);
}
