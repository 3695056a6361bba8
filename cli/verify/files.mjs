import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CannotCheck } from './cannot-check.mjs';

/** @typedef {import('./manifest.mjs').ManifestFile} ManifestFile */
/** @typedef {import('./manifest.mjs').Check} Check */

/**
 * Compares files with the manifest by their SHA-256. Their names do not matter.
 *
 * @param {ManifestFile[]} expected
 * @param {string[]} paths
 * @returns {Promise<Check[]>}
 */
export async function checkFiles(expected, paths) {
  const checks = [];
  /** @type {Set<number>} */
  const seen = new Set();
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

/** @param {string} path */
async function hashOf(path) {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    throw new CannotCheck(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return hash.digest('hex');
}
