import { briefHash, type HashedBrief, canonicalTerms, type Opening, openingTerms, readTerms } from './project-terms.ts';
import { findLatestTerms, insertTerms, type TermsReason, updateCurrentTerms } from './terms-queries.ts';
import type { Tx } from '../../db/database.ts';

/**
 * Freezes the terms with which a project opens, in the transaction that opens it. Returns their number and hash for the
 * project's row, and the promise of the statement, which is sent already.
 */
export function freezeTerms(
  tx: Tx,
  opening: Opening,
  at: Date,
): { version: number; hash: string; written: PromiseLike<unknown> } {
  const { version, canonical, hash } = canonicalTerms(openingTerms(opening));
  const written = insertTerms(tx, { projectId: opening.projectId, version, canonical, hash, reason: 'opened', at });
  return { version, hash, written };
}

/** A change of an open project that its terms allow. */
export type TermsChange = {
  reason: TermsReason;
  at: Date;
  deadline?: Date;
  closesAt?: Date;
  maxEntries?: number | null;
  brief?: HashedBrief;
};

/** Makes the next version of the terms, in the transaction of the change. The caller holds the project's lock. */
export async function reviseTerms(
  tx: Tx,
  projectId: string,
  { reason, at, deadline, closesAt, maxEntries, brief }: TermsChange,
): Promise<void> {
  const latest = await findLatestTerms(tx, projectId);
  const next = canonicalTerms({
    ...readTerms(latest.canonical),
    version: latest.version + 1,
    ...(deadline ? { deadline: deadline.toISOString() } : {}),
    ...(closesAt ? { closes_at: closesAt.toISOString() } : {}),
    ...(maxEntries === undefined ? {} : { max_entries: maxEntries }),
    ...(brief ? { brief_sha256: briefHash(brief) } : {}),
  });
  await Promise.all([insertTerms(tx, { ...next, projectId, reason, at }), updateCurrentTerms(tx, projectId, next)]);
}
