import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type Encoding = 'br' | 'gzip';

export type ConsoleFile = {
  type: string;
  etag: string;
  bytes: Buffer<ArrayBuffer>;
  /** Compressed copies from the build, for files that profit from compression. */
  compressed: Partial<Record<Encoding, Buffer<ArrayBuffer>>>;
};

/**
 * The built console: its page, the path of the texts that every page loads, by language, and every other file by its
 * request path.
 */
export type ConsoleBuild = { page: string; texts: Record<string, string>; files: ReadonlyMap<string, ConsoleFile> };

const SUFFIXES: [suffix: string, encoding: Encoding][] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
];

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The output folder of scripts/build-console.mjs. */
const BUILDS = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.concours-console');

/**
 * Reads the whole console into memory, about 1 MB, or returns null when it is not built. So no request touches the
 * disk, no path can leave the folder, and a new build does not disturb a running process.
 */
export async function readConsole(builds: string = BUILDS): Promise<ConsoleBuild | null> {
  const name = await readFile(join(builds, 'current'), 'utf8').catch(ignoreMissing);
  if (name === null) return null;
  const folder = join(builds, name);
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(ignoreMissing);
  if (page === null) return null;
  const manifest = await readFile(join(folder, '.vite', 'manifest.json'), 'utf8');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const served = entries.filter((entry) => entry.isFile() && Object.hasOwn(TYPES, extname(entry.name)));
  const files = new Map<string, ConsoleFile>();
  for (const { parentPath, name: fileName } of served) {
    const path = join(parentPath, fileName);
    files.set(path.slice(folder.length).replaceAll('\\', '/'), await readOne(path));
  }
  return { page, texts: textsOf(JSON.parse(manifest) as Manifest), files };
}

type Manifest = Record<string, { file: string }>;

function textsOf(manifest: Manifest): Record<string, string> {
  const paths = Object.entries(manifest).flatMap(([name, { file }]) => {
    const [, language] = /^messages\/([a-z]{2})\.json\?part=site$/.exec(name) ?? [];
    return language ? [[language, `/${file}`]] : [];
  });
  return Object.fromEntries(paths) as Record<string, string>;
}

async function readOne(path: string): Promise<ConsoleFile> {
  const bytes = await readFile(path);
  const compressed: ConsoleFile['compressed'] = {};
  for (const [suffix, encoding] of SUFFIXES) {
    const made = await readFile(path + suffix).catch(ignoreMissing);
    if (made) compressed[encoding] = made;
  }
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', etag, bytes, compressed };
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
