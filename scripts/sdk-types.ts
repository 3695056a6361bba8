// Writes out the types that the SDK takes from the contract, in the declarations that `npm pack` ships. The compiler
// resolves each type, and the result needs neither the contract nor zod.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'sdk', 'dist');
const WORK = join(BUILT, 'types');

const source = readFileSync(join(ROOT, 'sdk', 'src', 'wire.ts'), 'utf8');
const types = Array.from(source.matchAll(/(\/\*\*[^\n]*\*\/\n)?export type (\w+)/g), ([, comment = '', name = '']) => ({
  comment,
  name,
}));

mkdirSync(WORK, { recursive: true });
writeFileSync(
  join(WORK, 'all.ts'),
  `import type * as wire from '../../src/wire.ts';
type Plain<T> = T extends object ? (T extends infer O ? { [Key in keyof O]: Plain<O[Key]> } : never) : T;
declare function plain<T>(): Plain<T>;
${types.map(({ name }) => `export const ${name} = plain<wire.${name}>();`).join('\n')}
`,
);
writeFileSync(
  join(WORK, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.json',
    compilerOptions: { rootDir: ROOT, outDir: 'out', emitDeclarationOnly: true },
    include: ['all.ts'],
    exclude: [],
  }),
);
const { status } = spawnSync('tsc', ['-p', WORK], { stdio: 'inherit', shell: process.platform === 'win32' });
if (status !== 0) process.exit(1);

const resolved = readFileSync(join(WORK, 'out', 'sdk', 'dist', 'types', 'all.d.ts'), 'utf8');
const declarations = resolved.slice(resolved.indexOf('export '));
const written = types.reduce(
  (text, { comment, name }) => text.replace(`export declare const ${name}: `, `${comment}export type ${name} = `),
  declarations,
);
if (written.includes('wire.')) throw new Error('The compiler names a type of wire.ts instead of writing it out');
writeFileSync(join(BUILT, 'sdk', 'src', 'wire.d.ts'), written);
rmSync(WORK, { recursive: true });
