import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { licence, type LicenceId } from '../../../contract/projects/rights.ts';

const FOLDER = new URL('../../../docs/licences/', import.meta.url);
const FILE = /^(?<id>.+)\.v(?<version>[1-9]\d*)\.md$/;

/** One version of the text of a license. A published version never changes, because terms name its hash. */
export type Licence = { id: LicenceId; version: number; sha256: string; text: string };

/** Every version of every license: in the order of the contract, the newest version first. */
export const licences: readonly Licence[] = readAll();

/** Returns the newest text of a license, which new terms name. */
export function currentLicence(id: LicenceId): Licence {
  const newest = licences.find((text) => text.id === id);
  if (!newest) throw new RangeError(`docs/licences/ has no text of ${id}`);
  return newest;
}

/** Returns one version of a license; null if there is none. */
export function findLicence(id: string, version: number): Licence | null {
  return licences.find((text) => text.id === id && text.version === version) ?? null;
}

/** Returns the address of a text at this service. */
export function licenceUrl(publicUrl: string, { id, version }: Pick<Licence, 'id' | 'version'>): string {
  return `${publicUrl}/api/v1/licences/${id}/${version}`;
}

/** Reads the files once, at the start: a file that changes later cannot change an answer. */
function readAll(): Licence[] {
  const order: readonly string[] = licence.options;
  return readdirSync(FOLDER)
    .flatMap((name) => {
      const { id, version } = FILE.exec(name)?.groups ?? {};
      const known = licence.safeParse(id);
      if (!known.success) return [];
      const text = readFileSync(new URL(name, FOLDER), 'utf8');
      return [{ id: known.data, version: Number(version), sha256: hash('sha256', text), text }];
    })
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id) || b.version - a.version);
}
