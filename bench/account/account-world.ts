import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { startScript, untilReady } from '../../test/support/processes/processes.ts';
import { type AccountSize, seedAccounts, seedReaders } from './seed.ts';
import type { SeededAgent } from '../seed.ts';
import type { Db } from '../../server/ports/database.ts';

/** One size of the marketplace: its database, and the service on it in a separate process. */
export type AccountSide = AccountSize & {
  db: Db;
  databaseUrl: string;
  port: number;
  readers: SeededAgent[];
  heavy: SeededAgent;
};
export type AccountWorld = { small: AccountSide; large: AccountSide; stop(): Promise<void> };

const UNLIMITED = '1000000000';

export async function startAccountWorld(sizes: {
  small: AccountSize;
  large: AccountSize;
  readers: number;
}): Promise<AccountWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    return { ...(await start(sizes, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { small, large, readers }: { small: AccountSize; large: AccountSize; readers: number },
  closers: (() => Promise<unknown>)[],
): Promise<Omit<AccountWorld, 'stop'>> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, pino.destination(2));
  // The measurements only read.
  const postgres = await startPostgres({
    dataDir: folder,
    password: randomBytes(12).toString('hex'),
    log,
    durable: false,
  });
  closers.push(() => postgres.stop());
  const [facilitatorKey, treasuryKey] = [generatePrivateKey(), generatePrivateKey()];
  const chain = await startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(facilitatorKey), log });
  closers.push(() => chain.stop());
  const parts = { RPC_URL: chain.rpcUrl, TREASURY_KEY: treasuryKey, FACILITATOR_KEY: facilitatorKey };

  async function side(name: string, size: AccountSize): Promise<AccountSide> {
    const startedAt = performance.now();
    const databaseUrl = await createDatabase(postgres.url, name);
    const db = createPool({ url: databaseUrl, connections: 2 });
    closers.push(() => db.end({ timeout: 1 }));
    await migrate(db);
    await seedAccounts(db, size);
    const all = await seedReaders(db, { agents: size.agents, readers });
    console.log(`${size.agents} agents, ${size.agents * 10} submissions after ${seconds(startedAt)} s`);
    const port = await freePort();
    const env = {
      ...parts,
      NODE_ENV: 'development',
      // The same setting as in production.
      CHECK_ANSWERS: 'off',
      PORT: String(port),
      DATA_DIR: join(folder, name),
      DATABASE_URL: databaseUrl,
      LIMIT_AGENT_ACCOUNT_PER_MINUTE: UNLIMITED,
      LIMIT_PUBLIC_READS_PER_MINUTE: UNLIMITED,
    };
    const running = startScript('server/main.ts', ['--role=api'], { env });
    closers.push(() => running.kill('SIGKILL'));
    await untilReady(running, `http://127.0.0.1:${port}`);
    return { ...size, db, databaseUrl, port, readers: all.slice(0, -1), heavy: all.at(-1)! };
  }

  return { small: await side('account_small', small), large: await side('account_large', large) };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = createPool({ url: serverUrl, connections: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
