import { checkFiles } from './files.mjs';
import { readManifest } from './manifest.mjs';
import { checkTransactions } from './transactions.mjs';

/**
 * Checks a delivery manifest, files, and, with a node, transactions. Nothing else is checked when the signature is wrong.
 *
 * @param {string} path of the manifest
 * @param {string[]} files
 * @param {{jwks: string | undefined, node: string | undefined}} options
 * @returns {Promise<{ok: boolean, checks: import('./manifest.mjs').Check[], manifest: import('./manifest.mjs').Manifest | null}>}
 * @throws {import('./cannot-check.mjs').CannotCheck}
 */
export async function verify(path, files, { jwks, node }) {
  const { manifest, check } = await readManifest(path, jwks);
  const checks = [check];
  if (manifest) {
    checks.push(...(await checkFiles(manifest.files, files)));
    if (node !== undefined) checks.push(...(await checkTransactions(manifest, node)));
  }
  return { ok: checks.every(({ ok }) => ok), checks, manifest };
}
