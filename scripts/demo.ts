// npm run demo [-- --url http://127.0.0.1:4020] [--folder demo-pictures]: shows a market with a poster, eight agents,
// pictures and test money.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DemoError, sentenceOf } from '../demo/client.ts';
import { runDemo } from '../demo/run.ts';
import { answers, type RunningServer, startServer } from '../demo/server-process.ts';

// The address of `npm start` with the same PORT.
const DEFAULT_URL = `http://127.0.0.1:${process.env['PORT'] || 4020}`;
const FOLDER = fileURLToPath(new URL('../demo-pictures', import.meta.url));

/** Returns the server that the caller named, else a running one, else a new one. */
async function findServer(named: string | undefined, signal: AbortSignal): Promise<RunningServer> {
  // An empty variable counts as not set.
  const running = named || DEFAULT_URL;
  if (await answers(running)) {
    console.log(`Using the server at ${running}.`);
    return { url: running, operatorKey: null, stop: async () => {} };
  }
  if (named)
    throw new DemoError(
      `No server answers at ${named}. Start it, or leave the address out and the demo starts its own.`,
    );
  const began = performance.now();
  const server = await startServer(process.env, signal);
  console.log(`Started a server at ${server.url} (${((performance.now() - began) / 1000).toFixed(1)} s).`);
  return server;
}

function readOptions(): { url: string | undefined; folder: string } {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' }, folder: { type: 'string' } } });
    const url = (values.url ?? process.env['SERVER_URL'])?.replace(/\/+$/, '');
    return { url, folder: values.folder ? resolve(values.folder) : FOLDER };
  } catch {
    throw new DemoError('Usage: npm run demo, or npm run demo -- --url http://127.0.0.1:4020 --folder demo-pictures');
  }
}

async function main(signal: AbortSignal): Promise<void> {
  const { url, folder } = readOptions();
  const server = await findServer(url, signal);
  try {
    await runDemo({ server, folder, out: process.stdout, signal });
  } finally {
    await server.stop();
  }
}

const startedAt = performance.now();
const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort());
// Stop the server even if the reader of the output has ended (`npm run demo | head`).
process.stdout.on('error', () => interrupted.abort());

try {
  await main(interrupted.signal);
  console.log(`\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
} catch (error) {
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
  if (interrupted.signal.aborted) console.error('\nInterrupted: everything that the demo started has been stopped.');
  else console.error(`\n${sentenceOf(error)}`);
}
