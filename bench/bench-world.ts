import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { migrate } from '../server/db/migrate.ts';
import { createPool } from '../server/db/pool.ts';
import { rpcClient } from '../server/devnet/chain-rpc.ts';
import { type RunningChain, startChain, USDC_ADDRESS } from '../server/devnet/chain.ts';
import { freePort } from '../server/devnet/child-process.ts';
import { startPostgres } from '../server/devnet/postgres.ts';
import { type RunningProcess, startScript, untilReady } from '../test/support/processes/processes.ts';
import { startChild } from './child.ts';
import { type SeededAgent, seedMarketplace } from './seed.ts';
import type { Db } from '../server/db/database.ts';

/** The service's default number of connections. Its peers in the comparison use no more. */
export const DATABASE_CONNECTIONS = 10;

export type BenchWorld = {
  databaseUrl: string;
  db: Db;
  chain: RunningChain;
  projects: number;
  agents: SeededAgent[];
  /** Ids of projects that accept entries. The public x402 client pays their fees without a higher spending limit. */
  openProjects: string[];
  treasury: string;
  service: { url: string; port: number; pid: number };
  /** The service of another checkout, on the same database and chain. */
  other: BenchWorld['service'] | null;
  startPeer: (script: string, settings: unknown) => ReturnType<typeof startChild>;
  /** Returns a new account with gas for the plain x402 server. */
  gasKey: () => Promise<`0x${string}`>;
  stop(): Promise<void>;
};

export type WorldOptions = {
  projects: number;
  agents: number;
  profileTo: string | undefined;
  /** The folder of another checkout whose service starts, too. */
  beside?: string | undefined;
  /** Settings of the service that differ from the others here. */
  settings?: Record<string, string>;
  /** Puts something between the service and its node. Receives the node's URL and returns the one for the service. */
  nodeUrl?: (rpcUrl: string) => Promise<string>;
};

const ROOT = join(import.meta.dirname, '..');
const UNLIMITED = '1000000000';

/** Starts the service in a separate process on an embedded database and chain, with the peers of the comparison. */
export async function startBenchWorld(options: WorldOptions): Promise<BenchWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    return await start(options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { profileTo, beside, settings: given = {}, nodeUrl, ...counts }: WorldOptions,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<BenchWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const postgres = await startPostgres({ dataDir, password: randomBytes(12).toString('hex'), log });
  closers.push(() => postgres.stop());
  const facilitatorKey = generatePrivateKey();
  const chain = await startChain({ dataDir, facilitatorAddress: privateKeyToAddress(facilitatorKey), log });
  closers.push(() => chain.stop());
  const db = createPool({ url: postgres.url, connections: 4 });
  closers.push(() => db.end({ timeout: 1 }));
  await migrate(db);
  // Seeding takes longer than the timeout of a request.
  await db.unsafe(
    `do $$ begin execute format('alter role current_user in database %I reset all', current_database()); end $$`,
  );
  const treasuryKey = generatePrivateKey();
  const treasury = privateKeyToAddress(treasuryKey).toLowerCase();
  const network = 'eip155:84532';
  const agents = await seedMarketplace(postgres.url, {
    ...counts,
    network,
    asset: USDC_ADDRESS.toLowerCase(),
    payTo: treasury,
  });
  await db.unsafe('checkpoint');
  const rpcUrl = (await nodeUrl?.(chain.rpcUrl)) ?? chain.rpcUrl;
  const shared = { databaseUrl: postgres.url, rpcUrl, treasuryKey, facilitatorKey, profileTo, given };
  const startIn = async (folder: string) => {
    const service = await startService({ ...shared, folder, dataDir: await mkdtemp(join(dataDir, 'service-')) });
    closers.push(() => service.running.kill('SIGTERM'));
    return service;
  };
  const service = await startIn(ROOT);
  const other = beside === undefined ? null : await startIn(resolve(beside));
  const open = await db<{ id: string }[]>`
    select id from projects where status = 'open' and entry_fee_micro < 1000000 order by id limit 2000`;
  return {
    projects: counts.projects,
    openProjects: open.map((row) => row.id),
    databaseUrl: postgres.url,
    db,
    chain,
    agents,
    treasury,
    service,
    other,
    startPeer(script, settings) {
      const child = startChild(script, settings);
      closers.push(() => child.stop());
      return child;
    },
    async gasKey() {
      const key = generatePrivateKey();
      await rpcClient(chain.rpcUrl)('anvil_setBalance', [privateKeyToAddress(key), '0x21e19e0c9bab2400000']);
      return key;
    },
    stop,
  };
}

type ServiceSettings = {
  /** The checkout whose service starts. */
  folder: string;
  dataDir: string;
  databaseUrl: string;
  rpcUrl: string;
  treasuryKey: string;
  facilitatorKey: string;
  profileTo: string | undefined;
  given: Record<string, string>;
};

/** Starts the service as `npm start` does, but with limits that no measurement reaches. */
async function startService(settings: ServiceSettings) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running: RunningProcess = startScript(join(relative(ROOT, settings.folder), 'server/main.ts'), [], {
    env: {
      ...(settings.profileTo ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${settings.profileTo}` } : {}),
      NODE_ENV: 'development',
      // The same setting as in production.
      PORT: String(port),
      DATA_DIR: settings.dataDir,
      DATABASE_URL: settings.databaseUrl,
      DATABASE_POOL: String(DATABASE_CONNECTIONS),
      RPC_URL: settings.rpcUrl,
      TREASURY_KEY: settings.treasuryKey,
      FACILITATOR_KEY: settings.facilitatorKey,
      LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
      LIMIT_AGENT_PER_MINUTE: UNLIMITED,
      LIMIT_PAYMENTS_PER_HOUR: UNLIMITED,
      ...settings.given,
    },
  });
  await untilReady(running, url);
  return { running, url, port, pid: running.child.pid ?? 0 };
}
