import { posterOperations } from '../../contract/posters.ts';
import { submissionOperations } from '../../contract/projects/submissions.ts';
import type { PaymentKind, PaymentQuote } from '../payments/types.ts';

const { requestUpload } = submissionOperations;
const { publishProject } = posterOperations;

const FILE = { fileName: 'a.png', fileType: 'image/png', fileSize: 9_000 };
const PAID: Partial<Record<PaymentKind, { path: string; body: object }>> = {
  entry_fee: { path: requestUpload.path, body: FILE },
  escrow: { path: publishProject.path, body: {} },
};

// Clients echo it with their payment, and proxies bound the headers of an answer, so the schema says only what must be.
const SCHEMA = { type: 'object', required: ['input'] };

/** Returns the extension `bazaar` of a 402: how the paid operation is called, for catalogs of paid resources. */
export function bazaarOf({ kind }: Pick<PaymentQuote, 'kind'>): Record<string, { info: object; schema: object }> {
  const paid = PAID[kind];
  if (!paid) return {};
  const input = { type: 'http', method: 'POST', bodyType: 'json', body: paid.body };
  const routeTemplate = `/api/v1${paid.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return { bazaar: { routeTemplate, info: { input }, schema: SCHEMA } as { info: object; schema: object } };
}
