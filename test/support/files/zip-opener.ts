import { execFileSync } from 'node:child_process';

/** Opens a ZIP with unzip or, without it, with Python. */
export function openerOf(path: string): { list(): string[]; extract(into: string): void } | null {
  const run = (program: string, ...rest: string[]) =>
    execFileSync(program, rest, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  const lines = (text: string) => text.split('\n').filter(Boolean);
  try {
    run('unzip', '-v');
    return {
      list: () => lines(run('unzip', '-Z1', path)),
      extract: (into) => void run('unzip', '-q', path, '-d', into),
    };
  } catch {
    const python = (...rest: string[]) => run('python3', '-m', 'zipfile', ...rest);
    try {
      run('python3', '--version');
    } catch {
      return null;
    }
    return {
      list: () =>
        lines(
          run(
            'python3',
            '-c',
            'import sys, zipfile; print(chr(10).join(zipfile.ZipFile(sys.argv[1]).namelist()))',
            path,
          ),
        ),
      extract: (into) => void python('-e', path, into),
    };
  }
}
