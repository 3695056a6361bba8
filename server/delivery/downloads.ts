import { DomainError } from '../../contract/basics/errors.ts';
import { type AuditRecord, findAudit, recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import type { OriginalPart } from '../pictures/types.ts';
import { listOriginals, type OriginalRow } from './delivery-queries.ts';

/** The files that a valid URL of originals opens. */
export type Download = { grant: AuditRecord; submissionId: string; part: OriginalPart; files: OriginalRow[] };

/**
 * Returns the files that a URL opens. The caller has verified the URL. What it grants does not change within its five
 * minutes: an award is final, and an agent's file stays its own.
 */
export async function findDownload(
  { reads }: Pick<Deps, 'reads'>,
  { grantId, part }: { grantId: string; part: OriginalPart },
): Promise<Download> {
  const grant = await findAudit(reads, grantId);
  if (grant?.action !== 'original.grant') throw noSuchFile();
  const submissionId = grant.subject.replace(/^submission:/, '');
  const all = await listOriginals(reads, submissionId);
  const files = part === 'zip' ? all : all.filter(({ item }) => item === part);
  if (files.length === 0) throw noSuchFile();
  return { grant, submissionId, part, files };
}

/** Records a download in the audit trail, with the actor and the reason of its grant. */
export async function recordDownload(
  deps: Pick<Deps, 'db' | 'clock' | 'newId'>,
  { grant, submissionId, part, files }: Download,
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await recordAudit(deps, tx, {
      at: deps.clock.now(),
      actor: grant.actor,
      action: 'original.download',
      subject: `submission:${submissionId}`,
      reason: grant.reason,
      details: { grant: grant.id, zip: part === 'zip', items: files.map(({ item }) => item) },
    });
  });
}

function noSuchFile(): DomainError {
  return new DomainError('NOT_FOUND', 'No such file.');
}
