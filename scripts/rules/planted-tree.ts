import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';

// A rule that does not work looks like a rule that everyone follows. The tests here create files that break each rule
// once, beside similar code that is allowed. The tool must report exactly the marked lines.

export const root = resolve(import.meta.dirname, '../..');

const trees: string[] = [];
after(() => Promise.all(trees.map((tree) => rm(tree, { recursive: true }))));

export async function plant(files: Record<string, string>): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'concours-rules-'));
  trees.push(tree);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), content);
  }
  return tree;
}

/** Runs a tool and returns the JSON that it printed. Both tools exit with an error when they find something. */
export function run(bin: string, args: string[], cwd: string): Promise<unknown> {
  return new Promise((done, fail) => {
    const command = [join(root, 'node_modules', bin), ...args];
    execFile(process.execPath, command, { cwd, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) done(JSON.parse(stdout));
      else fail(new Error(`${bin} did not run: ${stderr || stdout}`, { cause: error }));
    });
  });
}
