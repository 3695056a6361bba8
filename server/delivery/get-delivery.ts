import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../contract/projects/delivery.ts';
import type { Context } from '../deps.ts';
import { submissionNotFound } from '../entries/public.ts';
import type { PosterCaller } from '../callers.ts';
import { projectNotFound, licenceUrl } from '../projects/public.ts';
import { deliveryManifest } from './delivery-manifest.ts';
import { findDeliverable, listOriginals } from './delivery-queries.ts';
import { grantOriginals } from './grant.ts';
import { previewsOf } from './previews.ts';

type Operation = typeof deliveryOperations.getDelivery;

/**
 * Returns URLs of the originals that a poster has bought: every item of the entry whose prize is settled on chain. The
 * audit trail gets a record of each answer.
 */
export async function getDelivery(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const { posterId } = ctx.caller;
  const entry = await findDeliverable(ctx.reads, { projectId, submissionId });
  if (entry?.posterId !== posterId) throw projectNotFound();
  const { agentId, agentName, title } = entry;
  if (agentId === null || agentName === null || title === null) throw submissionNotFound();
  if (!entry.paid) throw notAwarded();
  const files = await listOriginals(ctx.reads, submissionId);
  const manifest = await deliveryManifest(ctx, { projectId, submissionId });
  const originals = await grantOriginals(ctx, { actor: `poster:${posterId}`, projectId, submissionId, files });
  const { licence } = entry;
  return {
    ...originals,
    entry: { id: submissionId, title, agent: { id: agentId, name: agentName } },
    previews: previewsOf(ctx, files),
    licence: { ...licence, url: licenceUrl(ctx.publicUrl, licence) },
    manifest,
  };
}

function notAwarded(): DomainError {
  const rule = 'The originals of an entry are delivered after it has won and its prize is settled.';
  return new DomainError('NOT_AWARDED', `${rule} Entries that shared a prize are not delivered.`);
}
