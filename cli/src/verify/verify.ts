import { checkFiles } from './files.ts';
import { type Check, type Manifest, readManifest, type Trusted } from './manifest.ts';
import { checkTransactions } from './transactions.ts';

type Verification = { ok: boolean; checks: Check[]; manifest: Manifest | null };

/**
 * Checks a delivery manifest, files, and, with a node, transactions. Nothing else is checked when the signature is wrong.
 *
 * @param path of the manifest
 * @throws CannotCheck
 */
export async function verify(
  path: string,
  files: string[],
  { node, ...trusted }: Trusted & { node?: string | undefined },
): Promise<Verification> {
  const { manifest, check } = await readManifest(path, trusted);
  const checks = [check];
  if (manifest) {
    checks.push(...(await checkFiles(manifest.files, files)));
    if (node !== undefined) checks.push(...(await checkTransactions(manifest, node)));
  }
  return { ok: checks.every(({ ok }) => ok), checks, manifest };
}
