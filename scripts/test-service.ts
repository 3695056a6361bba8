import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const ENTRY = join(ROOT, 'test', 'support', 'processes', 'crashing-service.ts');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'test-service');

/**
 * Joins the service that tests start as separate processes, and its packages, into one file, and returns its path. Node
 * needs 1.2 s of CPU to load the 1,300 files one by one, and 0.4 s to load the one. A whole run starts this service
 * about 200 times.
 */
export async function bundleTestService(): Promise<string> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [placesOfSources],
    build: {
      ssr: ENTRY,
      outDir: FOLDER,
      emptyOutDir: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'service.mjs', chunkFileNames: '[name].mjs', keepNames: true } },
    },
    // sharp has native code. The others are loaded only when a setting asks for them.
    ssr: {
      noExternal: true,
      external: ['sharp', 'ioredis', 'openai', '@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
    },
  });
  return relative(ROOT, join(FOLDER, 'service.mjs'));
}

/** Lets each source find the files beside it, as if it had not been joined. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};
