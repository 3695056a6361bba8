/** The opened entry, or the compared entries. Both are in the address, so Back closes them, and a link opens them. */
export type OpenedEntries = { entry?: string; compare?: string };

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ENTRY = new RegExp(`^${ID}$`);
const COMPARED = new RegExp(`^${ID}(?:_${ID}){1,3}$`);

/** Reads what is opened from the address. Everything else in it is dropped. */
export function readOpenedEntries({ entry, compare }: Record<string, unknown>): OpenedEntries {
  if (typeof entry === 'string' && ENTRY.test(entry)) return { entry };
  if (typeof compare === 'string' && COMPARED.test(compare)) return { compare };
  return {};
}
