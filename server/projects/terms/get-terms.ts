import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { termsOperations } from '../../../contract/projects/terms.ts';
import type { Context } from '../../deps.ts';
import { licenceUrl } from './licences.ts';
import { briefHash, hashedParts, readTerms } from './project-terms.ts';
import { findPublicTexts, findTerms, listVersions, type TermsRow } from './terms-queries.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof termsOperations.getTerms;

/** Returns one version of the terms of a project that everyone can see. */
export async function getTerms(
  { reads, clock, publicUrl }: Context<PublicCaller>,
  { params: { project_id: projectId }, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const texts = await findPublicTexts(reads, projectId, clock.now());
  // The same error as of a project that does not exist.
  if (!texts) throw new DomainError('PROJECT_NOT_FOUND', 'Project not found.');
  const version = query.version ?? texts.termsVersion;
  const [found, versions] = await Promise.all([findTerms(reads, projectId, version), listVersions(reads, projectId)]);
  if (!found)
    throw new DomainError(
      'TERMS_NOT_FOUND',
      `The terms have no version ${version}; the newest is ${texts.termsVersion}.`,
    );
  const terms = readTerms(found.canonical);
  // Until the first intent, the poster may have replaced the texts of an earlier version.
  const shown = hashedParts({ ...texts, project_type_id: 'image' });
  return {
    ...shownVersion(found),
    terms,
    canonical: found.canonical,
    brief: briefHash(shown) === terms.brief_sha256 ? shown : null,
    poster_no_winner: texts.posterNoWinner,
    licence_url: licenceUrl(publicUrl, terms.licence),
    versions: versions.map(shownVersion),
  };
}

function shownVersion({ version, hash, reason, createdAt }: TermsRow) {
  return { version, terms_hash: hash, reason, created_at: createdAt };
}
