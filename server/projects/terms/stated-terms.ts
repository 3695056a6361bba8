import { DomainError } from '../../../contract/basics/errors.ts';

/** The address of the current terms, which lists every version with its hash. */
export function termsUrl(publicUrl: string, projectId: string): string {
  return `${publicUrl}/api/v1/projects/${projectId}/terms`;
}

/**
 * Checks the terms that a request agrees to. A request may name none.
 *
 * @throws DomainError TERMS_CHANGED
 */
export function requireStatedTerms(
  publicUrl: string,
  { id, termsHash }: { id: string; termsHash: string },
  stated: string | undefined,
): void {
  if (stated === undefined || stated === termsHash) return;
  const message =
    'Entry fee not charged: the current terms of this project have another hash. Read the terms, then send their terms_hash.';
  throw new DomainError('TERMS_CHANGED', message, {
    details: [
      { field: 'terms_hash', message: termsHash },
      { field: 'terms_url', message: termsUrl(publicUrl, id) },
    ],
  });
}
