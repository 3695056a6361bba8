import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { termsOperations } from '../../../contract/projects/terms.ts';
import type { Context } from '../../deps.ts';
import { findLicence, licences, licenceUrl } from './licences.ts';
import type { PublicCaller } from '../../callers.ts';

type ListOperation = typeof termsOperations.listLicences;
type Operation = typeof termsOperations.getLicence;

/** Lists every version of every license. */
export async function listLicences({ publicUrl }: Context<PublicCaller>): Promise<Output<ListOperation>> {
  const shown = licences.map(({ id, version, sha256 }) => ({
    id,
    version,
    sha256,
    url: licenceUrl(publicUrl, { id, version }),
  }));
  return { licences: shown };
}

/** Returns the exact text of one version of a license. */
export async function getLicence(
  _ctx: Context<PublicCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const found = findLicence(params.licence_id, params.version);
  if (!found) throw new DomainError('NOT_FOUND', 'No such version of a license. GET /licences lists them.');
  return found.text;
}
