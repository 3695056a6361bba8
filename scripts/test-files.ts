import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TESTS = ['contract', 'server', 'sdk', 'cli', 'demo', 'scripts', 'test'].map((folder) => `${folder}/**/*.test.ts`);
/** test/wide needs programs that only .ci/run installs. Three other folders of test/ are separate packages. */
const ELSEWHERE = [
  'test/wide/**',
  'test/x402-v1/**',
  'test/mcp-clients/**',
  'test/generated-clients/**',
  '**/node_modules/**',
];
/** A test file with this comment runs in a process of its own. The comment gives the reason after the dash. */
const OWN_PROCESS = /^\/\/ own process: \S/m;
/** A unit test imports none of these, not even indirectly: databases, processes, threads, pictures, solc. */
const NOT_UNIT = /(?:\/test-database\.ts|^node:child_process|^node:worker_threads|^sharp|^solc)$/;
/** The specifier of each import, export or dynamic import, except type imports. */
const IMPORTS = /(?:\bfrom|\bimport\s*\(|^import)\s*'([^']+)'/gm;
const TYPE_IMPORTS = /^(?:import|export) type [^;]+;/gm;

/** Returns the files of `npm test`, relative to the root. Long tests (test/) come first, so that none starts last. */
export function testFiles(): string[] {
  const files = globSync(TESTS, { cwd: ROOT, exclude: ELSEWHERE }).map((file) => file.replaceAll('\\', '/'));
  const isLong = (file: string) => file.startsWith('test/');
  return files.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)) || (a < b ? -1 : 1));
}

export function needsOwnProcess(file: string): boolean {
  return OWN_PROCESS.test(readFileSync(join(ROOT, file), 'utf8'));
}

/** Returns whether a test file kills the service at chosen points. */
export function isKill(file: string): boolean {
  return file.startsWith('test/crash/');
}

/** Returns whether a test file starts the service in separate processes. */
export function startsServices(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes('/service-processes.ts');
}

/** Returns a function that says whether a test file is a unit test. */
export function unitTests(): (file: string) => boolean {
  const importsOf = new Map<string, string[]>();
  const read = (file: string): string[] => {
    const known = importsOf.get(file);
    if (known) return known;
    const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(TYPE_IMPORTS, '');
    const imports = [...source.matchAll(IMPORTS)].flatMap(([, specifier = '']) => {
      if (!specifier.startsWith('.')) return [specifier];
      return [relative(ROOT, join(ROOT, dirname(file), specifier)).replaceAll('\\', '/')];
    });
    importsOf.set(file, imports);
    return imports;
  };
  return (file) => {
    const seen = new Set([file]);
    // The loop also visits the values that its body adds.
    for (const reached of seen) {
      if (NOT_UNIT.test(reached)) return false;
      // The rules' tests contain imports of files that do not exist.
      if (/\.(?:ts|mjs)$/.test(reached) && existsSync(join(ROOT, reached)))
        for (const next of read(reached)) seen.add(next);
    }
    return true;
  };
}

/** Returns the test files in which the title of a test or a suite contains the text. */
export function filesWithTitle(files: string[], text: string): string[] {
  const title = /\b(?:test|it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
  return files.filter((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(title)].some(([, , name = '']) => name.includes(text));
  });
}
