/** The extensions of each type; the first one is added to a name that has none of them. */
const EXTENSIONS: Record<string, string[]> = {
  'image/jpeg': ['.jpg', '.jpeg', '.jpe', '.jfif'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
};

/**
 * Returns an agent's file name as a download may have it: without control and direction characters and without those that
 * a file system refuses, and with an extension of the file's own type.
 */
export function safeFileName(fileName: string, contentType: string): string {
  const name = fileName
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/["*/:<>?\\|]/g, '_')
    .replace(/^[. ]+/, '_');
  const known = EXTENSIONS[contentType] ?? [];
  const isKnown = known.some((extension) => name.toLowerCase().endsWith(extension));
  return isKnown ? name : `${name}${known[0] ?? ''}`;
}
