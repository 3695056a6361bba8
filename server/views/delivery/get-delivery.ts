import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../../contract/projects/delivery.ts';
import type { Context } from '../../deps.ts';
import { submissionNotFound } from '../../entries/public.ts';
import type { PosterCaller } from '../../ports/callers.ts';
import { projectNotFound } from '../../projects/public.ts';
import { findDeliverable, type LicenceId, listOriginals } from './delivery-queries.ts';
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
  const originals = await grantOriginals(ctx, { actor: `poster:${posterId}`, projectId, submissionId, files });
  return { ...originals, licence: licenceOf(ctx, entry.licence), manifest: null };
}

function licenceOf({ publicUrl }: Context, id: LicenceId | null): Output<Operation>['licence'] {
  return id === null ? null : { id, url: `${publicUrl}/api/v1/licences/${id}/1` };
}

function notAwarded(): DomainError {
  const rule = 'The originals of an entry are delivered after it has won and its prize is settled.';
  return new DomainError('NOT_AWARDED', `${rule} Entries that shared a prize are not delivered.`);
}
