// Builds the web console into node_modules/.concours-console/<hash of its sources>, once: what is there is there whole.
// Run by bootstrap.mjs before a start or a test, or by hand. Plain JavaScript, whose own part needs Node alone: the hash is
// asked for before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'console');
const builds = join(root, 'node_modules', '.concours-console');
/** Names the build that is served; it is replaced as a whole, as everything else here. */
const pointer = join(builds, 'current');
// Another start may be at work on what is younger.
const LEFTOVER_MS = 600_000;
// What is smaller is not worth a second header.
const COMPRESS_FROM_BYTES = 512;

/** What the build is made of, by content: nothing else changes it. */
function sourcesHash() {
  const files = ['console', 'contract']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => !file.endsWith('.test.ts'));
  files.push(join(root, 'package-lock.json'), fileURLToPath(import.meta.url));
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

/** Whether what would be served is what the sources say; also where there are no sources (a package that ships it built). */
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
        // Somebody else has made the same meanwhile.
        if (!existsSync(target)) throw error;
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
  const mine = `${pointer}-${process.pid}`;
  await writeFile(mine, name);
  await rename(mine, pointer);
  await removeLeftovers(name);
}

/** What every page needs comes in two files, however many lazy pages share a part of it: left alone, it were 26. */
const EAGER = [
  {
    name: 'base',
    test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](?!react-virtual|virtual-core)[\w-]+)[\\/]/,
  },
  {
    name: 'shell',
    test: /console[\\/](?:(?:areas|router)\.ts|(?:api|format)[\\/][\w-]+\.ts|styles[\\/]color-scheme\.ts|messages[\\/](?:shell|market)\.ts|(?:[\w-]+[\\/]){1,2}(?:area-route|routes)\.ts|market[\\/][\w-]+[.\w]*|shell[\\/](?!mantine)[\w-]+[.\w]*|components[\\/](?:controls[\\/](?:plain-button|field)|feedback[\\/](?:states|skeleton)|layout[\\/](?:page|page-change|pending-page)|pictures[\\/]cover|values[\\/](?:money|time-left|status-badge))[.\w]*)$/,
  },
];

async function bundle(outDir) {
  // What is served is the same whatever the service runs as: the tools take their part of React by this.
  process.env.NODE_ENV = 'production';
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    root: sources,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), await firstSight()],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      // Nothing inline: the policy of the page allows no data: but pictures, and each file is cached by its name.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // A page takes from a folder's public.ts what it names, and no other module of that folder.
        treeshake: {
          moduleSideEffects: [{ test: /[\\/](?:console|contract)[\\/](?!main\.)[^?]*\.tsx?$/, sideEffects: false }],
        },
        output: { codeSplitting: { groups: EAGER } },
      },
    },
  });
}

/** The market's heading stands in the page itself, in the words of the catalogue. */
async function firstSight() {
  const catalogue = join(sources, 'messages', 'market.ts');
  const market = existsSync(catalogue) ? (await import(pathToFileURL(catalogue).href)).market : {};
  return {
    name: 'first-sight',
    transformIndexHtml: (html) =>
      html.replace('__MARKET_TITLE__', escaped(market.title)).replace('__MARKET_LEAD__', escaped(market.lead)),
  };
}

function escaped(text = '') {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** At the highest level, once, in place of at every request. */
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

async function removeLeftovers(name) {
  for (const entry of readdirSync(builds)) {
    if (entry === name || entry === 'current') continue;
    const path = join(builds, entry);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true });
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!consoleIsBuilt()) await buildConsole();
}
