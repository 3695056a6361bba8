import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The built console: its folder with the request paths of its files, its page, and the path of the texts that every page
 * loads, by language.
 */
export type ConsoleBuild = { folder: string; files: ReadonlySet<string>; page: string; texts: Record<string, string> };

/** The files of a build that have no address of their own: the page, the manifest, and the compressed copies. */
const UNSERVED = /\.(?:html|json|br|gz)$/;

/** The output folder of scripts/build-console.mjs. */
const BUILDS = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.concours-console');

/** Reads the page of the console and the names of its files. Returns null when it is not built. */
export async function readConsole(builds: string = BUILDS): Promise<ConsoleBuild | null> {
  const name = await readFile(join(builds, 'current'), 'utf8').catch(ignoreMissing);
  if (name === null) return null;
  const folder = join(builds, name);
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(ignoreMissing);
  if (page === null) return null;
  const manifest = await readFile(join(folder, '.vite', 'manifest.json'), 'utf8');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !UNSERVED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
  return { folder, files: new Set(paths), page, texts: textsOf(JSON.parse(manifest) as Manifest) };
}

type Manifest = Record<string, { file: string }>;

function textsOf(manifest: Manifest): Record<string, string> {
  const paths = Object.entries(manifest).flatMap(([name, { file }]) => {
    const [, language] = /^messages\/([a-z]{2})\.json\?part=site$/.exec(name) ?? [];
    return language ? [[language, `/${file}`]] : [];
  });
  return Object.fromEntries(paths) as Record<string, string>;
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
