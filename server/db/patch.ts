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
  let isFound = false;
  let isWanted = false;
  for (const line of diff.split('\n')) {
    const kind = line[0];
    const [, target] = /^\+\+\+ b\/(.+)$/.exec(line) ?? [];
    const [, hunkStart] = /^@@ -(\d+)/.exec(line) ?? [];
    if (target !== undefined || line.startsWith('diff ')) {
      isWanted = target === file;
      isFound ||= isWanted;
    } else if (!isWanted) {
      continue;
    } else if (hunkStart !== undefined) {
      after.push(...before.slice(next, Number(hunkStart) - 1));
      next = Number(hunkStart) - 1;
    } else if (kind === '+') {
      after.push(line.slice(1));
    } else if (kind === ' ' || kind === '-') {
      if (before[next] !== line.slice(1)) throw new Error(`line ${next + 1} of ${file} is not what the patch expects`);
      if (kind === ' ') after.push(line.slice(1));
      next += 1;
    }
  }
  if (!isFound) throw new Error(`the patch does not change ${file}`);
  return [...after, ...before.slice(next)].join('\n');
}
