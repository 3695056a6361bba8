// Deletes the texts of the console that nothing uses from every language: node scripts/messages.ts --sweep, then oxfmt.
// Without --sweep, it only lists them. A text counts as used while the code reads each key of its path somewhere: as
// `.key`, `'key'`, or `{ key }`. So it finds what a deleted feature leaves behind, and keeps values of the contract.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Texts } from '../server/http/frame/page-texts.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'console', 'messages');

const code = ['console', 'contract', 'server']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(folder, String(file))))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const words = new Set([
  ...Array.from(code.matchAll(/\.(\w+)|'(\w+)'/g), ([, property, quoted]) => property ?? quoted),
  ...Array.from(code.matchAll(/const \{([^}]*)\}/g), ([, names]) => names?.match(/\w+/g) ?? []).flat(),
]);
/** The texts that the code lists, such as `Object.keys(text.timeframes)`. */
const listed = new Set(
  Array.from(code.matchAll(/Object\.(?:keys|entries|values)\([\w.]*\b(\w+)\)/g), ([, key]) => key),
);
const isUsed = (key: string) => words.has(key) || (/\W/.test(key) && code.includes(key));

/** Returns the used texts, and nothing where no text is left. */
function used(texts: Texts, path: string[], unused: Set<string>): Texts | undefined {
  if (typeof texts === 'string' || Array.isArray(texts) || listed.has(path.at(-1))) return texts;
  const kept = Object.entries(texts).flatMap(([key, child]) => {
    const place = [...path, key];
    const left = isUsed(key) ? used(child, place, unused) : undefined;
    if (left === undefined) unused.add(place.join('.'));
    return left === undefined ? [] : [[key, left] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The paths of the unused texts, such as `site.market.title`. */
export const unused = new Set<string>();
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  const texts = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Texts;
  const left = used(texts, [], unused) ?? {};
  if (process.argv.includes('--sweep')) writeFileSync(join(FOLDER, file), `${JSON.stringify(left, null, 2)}\n`);
}
if (import.meta.main) console.log([...unused].join('\n') || 'Every text is used.');
