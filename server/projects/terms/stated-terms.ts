import { DomainError } from '../../../contract/basics/errors.ts';

type Project = { id: string; termsHash: string | null };

/** Returns the address of a project's terms at this service. */
/** The address of the current terms, which lists every version with its hash. */
export function termsUrl(publicUrl: string, projectId: string): string {
  return `${publicUrl}/api/v1/projects/${projectId}/terms`;
}

/**
 * Checks the terms that a request agrees to. A request may name none (undefined). Null: those of a project without terms.
 *
 * @throws DomainError TERMS_CHANGED
 */
export function requireStatedTerms(
  publicUrl: string,
  { id, termsHash }: Project,
  stated: string | null | undefined,
): void {
  if (stated === undefined || stated === termsHash) return;
  const now =
    termsHash === null ? 'this project opened without terms' : 'the current terms of this project have another hash';
  throw new DomainError('TERMS_CHANGED', `Entry fee not charged: ${now}. Read the terms, then send their terms_hash.`, {
    details: [
      { field: 'terms_hash', message: termsHash ?? 'none' },
      { field: 'terms_url', message: termsUrl(publicUrl, id) },
    ],
  });
}
