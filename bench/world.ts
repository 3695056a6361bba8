import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { migrate } from '../server/db/migrate.ts';
import { createPool } from '../server/db/pool.ts';
import { type RunningChain, startChain, USDC_ADDRESS } from '../server/devnet/chain.ts';
import { freePort } from '../server/devnet/child-process.ts';
import { startPostgres } from '../server/devnet/postgres.ts';
import { MAIN, startScript, untilReady } from '../test/support/processes/processes.ts';
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
  treasuryKey: string;
  service: { url: string; port: number };
  /** The service of another checkout, on the same database and chain. */
  other: BenchWorld['service'] | null;
  startPeer: (script: string, settings: unknown) => ReturnType<typeof startChild>;
  stop(): Promise<void>;
};

type WorldOptions = {
  projects: number;
  agents: number;
  profileTo?: string | undefined;
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
  const started = new AsyncDisposableStack();
  return await start(options, started).catch(async (error: unknown) => {
    await started.disposeAsync();
    throw error;
  });
}

async function start(options: WorldOptions, started: AsyncDisposableStack): Promise<BenchWorld> {
  const { profileTo, beside, settings: given = {}, nodeUrl, ...counts } = options;
  const onStop = (close: () => Promise<unknown>) => started.defer(async () => void (await close()));
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  onStop(() => rm(dataDir, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const postgres = await startPostgres({ dataDir, password: randomBytes(12).toString('hex'), log });
  onStop(() => postgres.stop());
  const facilitatorKey = generatePrivateKey();
  const chain = await startChain({ dataDir, facilitatorAddress: privateKeyToAddress(facilitatorKey), log });
  onStop(() => chain.stop());
  const db = createPool({ url: postgres.url, connections: 4 });
  onStop(() => db.end({ timeout: 1 }));
  await migrate(db);
  const treasuryKey = generatePrivateKey();
  const treasury = privateKeyToAddress(treasuryKey).toLowerCase();
  const payment = { network: 'eip155:84532', asset: USDC_ADDRESS.toLowerCase(), payTo: treasury };
  const agents = await seedMarketplace(postgres.url, { ...counts, ...payment });
  await db.unsafe('checkpoint');
  const rpcUrl = (await nodeUrl?.(chain.rpcUrl)) ?? chain.rpcUrl;
  const env = {
    ...(profileTo ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileTo}` } : {}),
    DATABASE_URL: postgres.url,
    DATABASE_POOL: String(DATABASE_CONNECTIONS),
    RPC_URL: rpcUrl,
    TREASURY_KEY: treasuryKey,
    FACILITATOR_KEY: facilitatorKey,
    LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
    LIMIT_AGENT_PER_MINUTE: UNLIMITED,
    LIMIT_PAYMENTS_PER_HOUR: UNLIMITED,
    ...given,
  };
  const startIn = async (folder: string) => {
    const service = await startService(folder, { ...env, DATA_DIR: await mkdtemp(join(dataDir, 'service-')) });
    onStop(() => service.running.kill('SIGTERM'));
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
    treasuryKey,
    service,
    other,
    startPeer(script, settings) {
      const child = startChild(script, settings);
      started.defer(() => child.stop());
      return child;
    },
    stop: () => started.disposeAsync(),
  };
}

/** Starts the service as `npm start` does, but with limits that no measurement reaches. */
async function startService(folder: string, env: Record<string, string>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startScript(join(relative(ROOT, folder), MAIN), [], {
    env: { ...env, NODE_ENV: 'development', PORT: String(port) },
  });
  await untilReady(running, url);
  return { running, url, port };
}
