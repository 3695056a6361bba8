/**
 * Applies a unified diff to the text of one file.
 *
 * @param file the path of the file after `b/` in the diff
 * @throws Error when the diff does not name the file, or the text differs from the lines that the diff expects
 */
export function applyPatch(text: string, diff: string, file: string): string {
  const before = text.split('\n');
  const after: string[] = [];
  let next = 0;
  for (const line of hunkLinesOf(diff, file)) {
    const [, hunkStart] = /^@@ -(\d+)/.exec(line) ?? [];
    if (hunkStart !== undefined) {
      after.push(...before.slice(next, Number(hunkStart) - 1));
      next = Number(hunkStart) - 1;
      continue;
    }
    const content = line.slice(1);
    if (!line.startsWith('+') && before[next] !== content)
      throw new Error(`line ${next + 1} of ${file} is not what the patch expects`);
    if (!line.startsWith('-')) after.push(content);
    if (!line.startsWith('+')) next += 1;
  }
  return [...after, ...before.slice(next)].join('\n');
}

/** Returns the lines of a diff that belong to one file, from its first `@@` on. */
function hunkLinesOf(diff: string, file: string): string[] {
  const lines = diff.split('\n');
  const header = lines.indexOf(`+++ b/${file}`);
  if (header === -1) throw new Error(`the patch does not change ${file}`);
  const rest = lines.slice(header + 1);
  const end = rest.findIndex((line) => line.startsWith('diff ') || line === '');
  return end === -1 ? rest : rest.slice(0, end);
}
