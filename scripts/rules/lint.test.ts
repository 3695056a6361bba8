import assert from 'node:assert/strict';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant, root, run } from './planted-tree.ts';

type Lint = {
  diagnostics: { code?: string; message: string; filename: string; labels: { span: { line: number } }[] }[];
};

/** Returns each finding as `file:line rule`. */
async function lint(tree: string): Promise<string[]> {
  await mkdir(join(tree, 'scripts/rules'), { recursive: true });
  for (const path of ['.oxlintrc.json', 'tsconfig.json', 'scripts/rules/oxlint-plugin.mjs']) {
    await copyFile(join(root, path), join(tree, path));
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
  const args = ['--format', 'json', 'contract', 'server', 'sdk', 'bench', 'test'];
  const { diagnostics } = (await run('oxlint/bin/oxlint', args, tree)) as Lint;
  return diagnostics
    .map(
      ({ code, message, filename, labels }) =>
        `${filename}:${labels[0]?.span.line} ${code?.replace(/^.*\((.*)\)$/, '$1') ?? message}`,
    )
    .toSorted();
}

/** Returns the lines that end in `// ! rule rule`, as `file:line rule`. */
function marked(files: Record<string, string>): string[] {
  return Object.entries(files).flatMap(([path, content]) =>
    content.split('\n').flatMap((line, index) => {
      const rules = / \/\/ ! (.+)$/.exec(line)?.[1]?.split(' ') ?? [];
      return rules.map((rule) => `${path}:${index + 1} ${rule}`);
    }),
  );
}

const clockAndChance = `
import { createHash, randomUUID } from 'node:crypto'; // ! no-restricted-imports
import process from 'node:process'; // ! no-restricted-imports
export const now = new Date(); // ! no-current-time
export const text = Date(); // ! no-current-time
export const millis = Date.now(); // ! no-restricted-properties
export const { now: clock } = Date; // ! no-restricted-properties
export const other = globalThis.Date; // ! no-restricted-properties
export const chance = Math.random(); // ! no-restricted-properties
export const id = crypto.randomUUID(); // ! no-restricted-properties
export const home = process.env['HOME']; // ! no-restricted-properties
export const { env } = process; // ! no-restricted-properties
export const pid = globalThis.process.pid; // ! no-restricted-properties
export const epoch = new Date(0);
export const third = Math.floor(1.5);
export const hash = createHash('sha256').update(randomUUID());
`;

/** Returns a function with this many paths. */
const branchy = (paths: number, mark: string) => `export function sign(n: number): number {${mark}
${Array.from({ length: paths - 1 }, (_, at) => `  if (n === ${at}) return ${at + 1};\n`).join('')}  return 0;
}
`;

const linted = {
  'contract/clock.ts': clockAndChance,
  'server/agents/clock.ts': clockAndChance,
  'server/config.ts': `
export const home = process.env['HOME'];
export const millis = Date.now(); // ! no-restricted-properties
export const now = new Date(); // ! no-current-time
`,
  'server/main.ts': `
import { randomBytes } from 'node:crypto';
export const clock = { now: () => new Date() };
export const random = (size: number) => randomBytes(size);
export const home = process.env['HOME']; // ! no-restricted-properties
console.log('ready');
`,
  'server/devnet/faucet.ts': `
export const started = Date.now();
export const home = process.env['HOME']; // ! no-restricted-properties
console.log('ready'); // ! no-console
`,
  'server/agents/clock.test.ts': `
import { test } from 'node:test';
test('a test may', () => {
  console.log(process.env['HOME'], Date.now(), new Date(), Math.random());
});
async function lost(): Promise<void> {
  await Promise.resolve();
}
lost(); // ! no-floating-promises
`,
  'sdk/home.ts': `
export const home = process.env['HOME']; // ! no-restricted-properties
export const millis = Date.now();
`,
  'bench/home.ts': "export const home = process.env['HOME'];\n",
  'server/agents/promises.ts': `
async function send(): Promise<boolean> {
  await Promise.resolve();
  return true;
}
export async function all(): Promise<number> {
  send(); // ! no-floating-promises
  [1].forEach(async () => { // ! no-misused-promises
    await send();
  });
  if (send()) return 1; // ! no-misused-promises
  try {
    return Number(await send());
  } catch {
    throw 'late'; // ! only-throw-error
  }
}
export async function wait(size: number): Promise<void> {
  await size; // ! await-thenable
}
`,
  'server/agents/types.ts': `
import { Socket } from 'node:net'; // ! consistent-type-imports
import path from 'path'; // ! consistent-type-imports prefer-node-protocol
export type Peer = { socket: Socket; path: typeof path };
export const anything: any = 1; // ! no-explicit-any
export const first = (list: number[]): number => list[0]!; // ! no-non-null-assertion
export const parsed: { id: string } = JSON.parse('{}'); // ! no-unsafe-assignment
export const same = (a: unknown, b: unknown): boolean => a == b; // ! eqeqeq
export default first; // ! no-default-export
export function name(kind: 'a' | 'b'): string {
  switch (kind) { // ! switch-exhaustiveness-check
    case 'a':
      return 'a';
  }
  return 'b';
}
`,
  'test/support/answer.ts': `
export type Answer = { body: any }; // ! no-explicit-any
export type Parsed = ReturnType<typeof JSON.parse>; // ! no-type-of-json
export type Written = Parameters<typeof globalThis.JSON.stringify>[0]; // ! no-type-of-json
`,
  'test/support/clients/parsed-json.ts': 'export type ParsedJson = ReturnType<typeof JSON.parse>;\n',
  'server/agents/index.ts': "export * from './promises.ts'; // ! no-barrel-file\n",
  'server/agents/exceptions.ts': `
// oxlint-disable-next-line no-console
console.log('a');
// oxlint-disable-next-line no-console -- the last words before the logger exists
console.log('b');
// oxlint-disable-next-line eqeqeq -- nothing to except here
export const same = true;
`,
  'server/agents/wide-comments.ts': `
// ${'word '.repeat(24)}words
// ${'word '.repeat(25)}words
/**
 * ${'word '.repeat(24)}words
 * ${'word '.repeat(25)}words
 * https://example.test/${'a'.repeat(120)}
 */
export const one = 1;
`,
  'server/agents/long-function.ts': `export function long(): number { // ! max-lines-per-function
  let sum = 0;
${'  sum += 1;\n'.repeat(67)}  return sum;
}
export function longest(): number {
  let sum = 0;
${'  sum += 1;\n'.repeat(66)}  return sum;
}
`,
  'server/agents/at-bound.ts': branchy(15, ''),
  'server/agents/above-bound.ts': branchy(16, ' // ! complexity'),
  'server/http/at-bound.ts': branchy(12, ''),
  'server/http/above-bound.ts': branchy(13, ' // ! complexity'),
  'server/agents/full-file.ts': '// one\n'.repeat(299).concat('export const one = 1;\n'),
  'server/agents/long-file.ts': `${'// one\n'.repeat(300)}export const one = 1; // ! max-lines\n`,
};

/** These lines are comments, so a mark would become part of them. */
const markedComments = [
  'server/agents/exceptions.ts:2 reasoned-disable',
  'server/agents/wide-comments.ts:3 comment-width',
  'server/agents/wide-comments.ts:6 comment-width',
  'server/agents/exceptions.ts:6 Unused oxlint-disable directive (no problems were reported).',
];

test('every lint rule reports the marked lines, and no others', async () => {
  assert.deepEqual(await lint(await plant(linted)), [...marked(linted), ...markedComments].toSorted());
});
