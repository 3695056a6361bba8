import type { z } from 'zod';
import type { manifestClaims, manifestOperations } from '../../contract/projects/manifest.ts';
import type { Deps, Context } from '../deps.ts';
import { findOwnEntry, listOriginals } from './delivery-queries.ts';
import { findSettledAward } from './manifest-queries.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { submissionNotFound } from '../entries/public.ts';
import type { AgentCaller } from '../callers.ts';

type Claims = z.input<typeof manifestClaims>;

const TYPE = 'concours-delivery+jwt';

/**
 * Returns the signed manifest of a delivery: a compact JWS, or null unless the submission won and its prize is settled.
 * It states only what no longer changes, so that poster and agent get the same text until another key signs.
 */
export async function deliveryManifest(
  { reads, signing, publicUrl }: Pick<Deps, 'reads' | 'signing' | 'publicUrl'>,
  { projectId, submissionId }: { projectId: string; submissionId: string },
): Promise<string | null> {
  const [award, files] = await Promise.all([
    findSettledAward(reads, { projectId, submissionId }),
    listOriginals(reads, submissionId),
  ]);
  if (!award) return null;
  const claims: Claims = {
    iss: publicUrl,
    iat: Math.floor(award.settledAt.getTime() / 1000),
    project_id: award.projectId,
    submission_id: award.submissionId,
    terms_hash: award.termsHash,
    licence: { id: award.licence, sha256: award.licenceSha256 },
    files: files.map(({ item, fileName, contentType, sizeBytes, sha256 }) => ({
      item,
      file_name: fileName,
      content_type: contentType,
      size_bytes: sizeBytes,
      sha256: sha256.toString('hex'),
    })),
    network: award.network,
    asset: award.asset,
    payer: award.payer,
    payee: award.payee,
    prize_tx: award.prizeTx,
    fee_tx: award.feeTx,
    payout_tx: award.payoutTx,
    payout_micro: award.payoutMicro,
    awarded_at: award.awardedAt.toISOString(),
    settled_at: award.settledAt.toISOString(),
  };
  return await signing.signClaims(TYPE, claims);
}

type Operation = typeof manifestOperations.getManifest;

/** Returns the delivery manifest of the agent's winning submission. */
export async function getManifest(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const { submission_id: submissionId } = params;
  const entry = await findOwnEntry(ctx.reads, { submissionId, agentId: ctx.caller.agentId });
  if (!entry) throw submissionNotFound();
  const manifest = await deliveryManifest(ctx, { ...entry, submissionId });
  if (manifest === null)
    throw new DomainError('NOT_AWARDED', 'This submission has not won, or its prize is not settled yet.');
  return { manifest };
}
