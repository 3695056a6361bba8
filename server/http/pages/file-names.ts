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

/** Returns the header that makes a browser save the file under this name (RFC 6266, RFC 8187). */
export function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
