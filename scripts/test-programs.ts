import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..');
/** The programs by the names of their files. */
const PROGRAMS = {
  service: join(ROOT, 'test', 'support', 'processes', 'crashing-service.ts'),
  main: join(ROOT, 'server', 'main.ts'),
  'inspect-image-worker': join(ROOT, 'server', 'pictures', 'inspect-image-worker.ts'),
  'public-copies-worker': join(ROOT, 'server', 'pictures', 'public-copies-worker.ts'),
};
const FOLDER = join(ROOT, 'node_modules', '.cache', 'test-programs');

/**
 * Joins each program of the service that tests start as a separate process with its packages, and returns the folder. A
 * whole run starts the service about 200 times. Node needs 1.2 s of CPU to load its 1,300 files one by one, and 0.4 s to
 * load the joined ones. A decoder of pictures starts in 0.14 s instead of 0.27 s.
 */
export async function bundlePrograms(): Promise<string> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [placesOfSources],
    build: {
      ssr: true,
      outDir: FOLDER,
      emptyOutDir: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: PROGRAMS,
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs', keepNames: true },
      },
    },
    // sharp has native code. The others are loaded only when a setting asks for them.
    ssr: {
      noExternal: true,
      external: ['sharp', 'ioredis', 'openai', '@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
    },
  });
  return relative(ROOT, FOLDER);
}

/** The URL of another program, as a source gives it to `fork`. */
const PROGRAM_URL = /new URL\(["']\.\/([\w-]+)\.ts["'], import\.meta\.url\)/g;
const bundled = (name: string) => pathToFileURL(join(FOLDER, `${name}.mjs`)).href;

/** Lets each source find the files beside it, as if it had not been joined. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta/ },
    handler: (code, id) =>
      code
        .replaceAll(PROGRAM_URL, (given, name: string) => (name in PROGRAMS ? JSON.stringify(bundled(name)) : given))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};
