import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CannotCheck } from './get-json.ts';
import type { Check, ManifestFile } from './manifest.ts';

/** Compares files with the manifest by their SHA-256. Their names do not matter. */
export async function checkFiles(expected: ManifestFile[], paths: string[]): Promise<Check[]> {
  const checks: Check[] = [];
  const seen = new Set<number>();
  for (const path of paths) {
    const sha256 = await hashOf(path);
    const match = expected.find((file) => file.sha256 === sha256);
    if (match) seen.add(match.item);
    const message = match
      ? `${path}: item ${match.item} (${match.file_name}), SHA-256 ${sha256}`
      : `${path}: not in the manifest; its SHA-256 is ${sha256}. The file was changed, or belongs to another entry`;
    checks.push({ check: 'file', ok: match !== undefined, message });
  }
  const unseen = expected.filter(({ item }) => !seen.has(item));
  // A part of a set is as genuine as the whole set.
  for (const { item, file_name: name, sha256 } of unseen)
    checks.push({ check: 'not checked', ok: true, message: `not checked: item ${item} (${name}), SHA-256 ${sha256}` });
  return checks;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new CannotCheck(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return hash.digest('hex');
}
