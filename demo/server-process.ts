import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DemoError } from './client.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 120_000;
const STOP_MS = 20_000;

/** Empty values mean "not set". The demo's server uses only embedded dependencies, whatever the shell has set. */
const NOTHING_OUTSIDE = {
  PUBLIC_URL: '',
  DATABASE_URL: '',
  S3_ENDPOINT: '',
  NETWORK: '',
  RPC_URL: '',
  FACILITATOR_URL: '',
  FACILITATOR_KEY: '',
  TREASURY_KEY: '',
};

export type RunningServer = {
  url: string;
  /** The operator key, or null if the demo did not start the server itself. */
  operatorKey: string | null;
  stop(): Promise<void>;
};

export async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Starts a development service on a free port, with a data folder that is deleted when the service stops. */
export async function startServer(
  env: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<RunningServer> {
  const dataDir = join(tmpdir(), `concours-demo-${process.pid}`);
  const operatorKey = randomBytes(24).toString('base64url');
  const { url, stop } = await startServerOn(dataDir, { ...env, OPERATOR_KEY: operatorKey }, signal);
  return {
    url,
    operatorKey,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a development service on a free port, or on the given one. Its data folder stays. */
export async function startServerOn(
  dataDir: string,
  env: Record<string, string | undefined>,
  signal: AbortSignal,
  givenPort?: number,
): Promise<Omit<RunningServer, 'operatorKey'>> {
  const port = givenPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: {
      ...env,
      ...NOTHING_OUTSIDE,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The server has its own process group. Ctrl-C reaches only the demo, which then shuts the server down.
    detached: true,
  });
  const lines = lastLines(child);
  const stop = () => end(child);
  try {
    await untilReady(child, url, lines, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function untilReady(child: ChildProcess, url: string, lines: () => string, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + START_MS;
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new DemoError(`The server ended at its start:\n${lines()}`);
    if (await answers(url)) return;
    await sleep(50, undefined, { signal });
  }
  throw new DemoError(`The server did not answer within ${START_MS / 1000} s:\n${lines()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(late);
}

/** Returns the last output of the server, to explain a failure. */
function lastLines(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4_000);
    });
  }
  return () => text.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new DemoError('No free port was found on 127.0.0.1.');
  return address.port;
}
