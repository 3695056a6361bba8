// Builds the web console into node_modules/.concours-console/<hash of its sources>, once for each state of the sources.
// bootstrap.mjs runs it before a start or a test. Plain JavaScript with lazy imports, because bootstrap.mjs asks
// `consoleIsBuilt` before any package is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'console');
const builds = join(root, 'node_modules', '.concours-console');
/** Contains the name of the served build. Builds and this file appear by rename, so no reader sees partial content. */
const pointer = join(builds, 'current');
// Another process may still be writing a build that is younger than this.
const LEFTOVER_MS = 600_000;
// Compression does not pay for smaller files.
const COMPRESS_FROM_BYTES = 512;

/** Hashes everything that the build depends on. */
function sourcesHash() {
  const files = ['console', 'contract']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => !/\.(?:test\.ts|md)$/.test(file));
  files.push(join(root, 'package-lock.json'), join(root, 'scripts', 'parsed-texts.ts'), fileURLToPath(import.meta.url));
  const listed = files.toSorted().map((file) => `${file.slice(root.length)} ${sha256(readFileSync(file))}`);
  return sha256(listed.join('\n')).slice(0, 16);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns whether the served build matches the sources. A package without sources ships the console built. */
export function consoleIsBuilt() {
  if (!existsSync(sources)) return true;
  try {
    const name = readFileSync(pointer, 'utf8');
    return name === sourcesHash() && existsSync(join(builds, name, 'index.html'));
  } catch {
    return false;
  }
}

async function buildConsole() {
  const name = sourcesHash();
  const target = join(builds, name);
  if (!existsSync(target)) {
    const making = join(builds, `making-${process.pid}`);
    await mkdir(making, { recursive: true });
    try {
      await bundle(making);
      await compressAll(making);
      await rename(making, target).catch((error) => {
        // Another process has finished the same build.
        if (!existsSync(target)) throw error;
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
  const replaced = existsSync(pointer) ? readFileSync(pointer, 'utf8') : name;
  const ownPointer = `${pointer}-${process.pid}`;
  await writeFile(ownPointer, name);
  await rename(ownPointer, pointer);
  await removeLeftovers([name, replaced]);
}

/** Bundles what every page needs into two files. By default, the bundler would write 26. */
const EAGER = [
  {
    name: 'base',
    test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|intl-messageformat|@formatjs|@tanstack[\\/](?!react-virtual|virtual-core)[\w-]+)[\\/]/,
  },
  {
    name: 'shell',
    test: /console[\\/](?:(?:areas|router)\.ts|(?:api|format)[\\/][\w-]+\.ts|styles[\\/]color-scheme\.ts|messages[\\/](?:texts|language|site)\.ts|(?:[\w-]+[\\/]){1,2}routes\.ts|market[\\/][\w-]+[.\w]*|shell[\\/](?!mantine)[\w-]+[.\w]*|components[\\/](?:controls[\\/](?:plain-button|field)|feedback[\\/]page-states|layout[\\/](?:page|page-change|pending-page)|pictures[\\/]cover|values[\\/](?:money|time-left|status-badge))[.\w]*)$/,
  },
];

async function bundle(outDir) {
  // Always build React for production, whatever NODE_ENV the service runs with.
  process.env.NODE_ENV = 'production';
  const [{ build }, { default: react }, { parsedTexts }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('./parsed-texts.ts'),
  ]);
  await build({
    root: sources,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
    plugins: [parsedTexts(), react()],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      // Inline nothing: the page's policy allows data: URLs for pictures only, and files are cached by name.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // Without this, importing one name from a folder's public.ts would load every module that public.ts names.
        treeshake: {
          moduleSideEffects: [{ test: /[\\/](?:console|contract)[\\/](?!main\.)[^?]*\.tsx?$/, sideEffects: false }],
        },
        output: { codeSplitting: { groups: EAGER } },
      },
    },
  });
}

/** Compresses at the highest level at build time, so requests need no compression. */
async function compressAll(folder) {
  const files = filesBelow(folder).filter((file) => /\.(?:js|css|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      if (bytes.length < COMPRESS_FROM_BYTES) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await Promise.all([
        writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params })),
        writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 })),
      ]);
    }),
  );
}

/** Keeps the builds in `kept`: a running process still serves the files of the one that was replaced. */
async function removeLeftovers(kept) {
  for (const entry of readdirSync(builds)) {
    if (kept.includes(entry) || entry === 'current') continue;
    const path = join(builds, entry);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true });
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!consoleIsBuilt()) await buildConsole();
}
