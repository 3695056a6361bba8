import { execFileSync } from 'node:child_process';

const NAMES = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";

/** Opens a ZIP with Python; null without it. */
export function openerOf(path: string): { list(): string[]; extract(into: string): void } | null {
  const python = (...args: string[]) =>
    execFileSync('python3', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  try {
    python('--version');
  } catch {
    return null;
  }
  return {
    list: () => python('-c', NAMES, path).split('\n').filter(Boolean),
    extract: (into) => void python('-m', 'zipfile', '-e', path, into),
  };
}
