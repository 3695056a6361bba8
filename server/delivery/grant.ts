import type { Output } from '../../contract/basics/operation.ts';
import { ORIGINAL_URL_SECONDS, type deliveryOperations } from '../../contract/projects/delivery.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import type { OriginalRow } from './delivery-queries.ts';
import { safeFileName } from './file-names.ts';

type Originals = Pick<Output<typeof deliveryOperations.listOwnFiles>, 'files' | 'zip_url'>;

type Grant = {
  /** `poster:<id>`, `agent:<id>` or `operator`. */
  actor: string;
  reason?: string;
  projectId: string;
  submissionId: string;
  files: OriginalRow[];
};

/** Records in the audit trail that the actor may read these originals, and returns URLs that work for five minutes. */
export async function grantOriginals(
  { db, clock, newId, originalUrls }: Pick<Deps, 'db' | 'clock' | 'newId' | 'originalUrls'>,
  { actor, reason, projectId, submissionId, files }: Grant,
): Promise<Originals> {
  const at = clock.now();
  const items = files.map(({ item }) => item);
  const grantId = await withTransaction(db, async (tx) => {
    const id = newId();
    await recordAudit({ newId: () => id }, tx, {
      at,
      actor,
      action: 'original.grant',
      subject: `submission:${submissionId}`,
      reason: reason ?? null,
      details: { project_id: projectId, items },
    });
    return id;
  });
  // URLs name whole seconds.
  const expiresAt = new Date(Math.floor(at.getTime() / 1000 + ORIGINAL_URL_SECONDS) * 1000);
  return {
    files: files.map((file) => ({
      item: file.item,
      file_name: safeFileName(file.fileName, file.contentType),
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      sha256: file.sha256.toString('hex'),
      url: originalUrls.of(grantId, file.item, expiresAt),
      expires_at: expiresAt,
    })),
    zip_url: originalUrls.of(grantId, 'zip', expiresAt),
  };
}
