import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { Redis } from 'ioredis';
import { freePort } from '../../../server/devnet/child-process.ts';
import { until } from '../processes/processes.ts';

/** The reason to skip tests that need a real Redis, or false if Redis is installed. */
export const withoutRedis =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed';

export type RedisServer = {
  url: string;
  /** Sends a command on a separate connection. */
  ask(...command: [string, ...(string | number)[]]): Promise<unknown>;
  /** Kills the server with SIGKILL; it keeps no data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses the server, like a machine that hangs: connections stay open without answers. */
  pause(): void;
  resume(): void;
};

/** Starts a Redis that ends with the test file. Call it at the top of the file. */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;

  async function ask(...[command, ...given]: [string, ...(string | number)[]]): Promise<unknown> {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(command, ...given);
    } finally {
      client.disconnect();
    }
  }

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;

  async function start(): Promise<void> {
    if (isRunning()) return;
    const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder, loglevel: 'warning' };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    child = spawn('redis-server', args, { stdio: 'ignore' });
    await until('Redis', () =>
      ask('PING').then(
        (answer) => answer === 'PONG',
        () => false,
      ),
    );
  }

  async function kill(): Promise<void> {
    if (!child || !isRunning()) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  after(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return { url, ask, kill, start, pause: () => void child?.kill('SIGSTOP'), resume: () => void child?.kill('SIGCONT') };
}
