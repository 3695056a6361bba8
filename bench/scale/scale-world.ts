import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { type RunningChain, startChain, USDC_ADDRESS } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { Db } from '../../server/ports/database.ts';
import {
  descendants,
  type RunningProcess,
  startScript,
  until,
  untilReady,
} from '../../test/support/processes/processes.ts';
import { type Cluster, postgresClusters, streamingReplica } from '../../test/support/servers/postgres-cluster.ts';
import { type SeededAgent, seedMarketplace } from '../seed.ts';

const UNLIMITED = '1000000000';
/** With one key, the lane of the key would bound the payments of several processes. */
const FACILITATOR_KEYS = 4;
const POSTGRES = [
  'wal_level=replica',
  'hot_standby=on',
  'max_connections=400',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
];
/** The seed needs it, and PostgreSQL has it from version 18 on. */
const UUIDV7 = `
  create function uuidv7(shift interval default '0') returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send(floor(extract(epoch from clock_timestamp() + shift) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
      'hex')::uuid $$`;

/** The API processes of one measurement. A worker runs beside them. */
export type Fleet = { urls: string[]; pids: number[]; stop(): Promise<void> };

export type ScaleWorld = {
  db: Db;
  chain: RunningChain;
  projects: number;
  agents: SeededAgent[];
  openProjects: string[];
  /** The processes of the primary, and those of all replicas. */
  databasePids(): Promise<{ primary: number[]; replicas: number[] }>;
  startFleet(processes: number, replicas: number): Promise<Fleet>;
  stop(): Promise<void>;
};

type Sizes = { projects: number; agents: number; replicas: number };

/** Starts a primary of Debian's PostgreSQL with streaming replicas, and a chain. Only the primary waits for the disk. */
export async function startScaleWorld(bin: string, sizes: Sizes): Promise<ScaleWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    return await start(bin, sizes, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  bin: string,
  { replicas: replicaCount, ...counts }: Sizes,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<ScaleWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-scale-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const clusters = await postgresClusters(bin);
  closers.push(() => clusters.remove());
  const primary = await clusters.start(await clusters.create('primary', POSTGRES), await freePort(), ['fsync=on']);
  const keys = Array.from({ length: FACILITATOR_KEYS }, () => generatePrivateKey());
  const [treasuryKey, firstKey] = [generatePrivateKey(), keys[0]!];
  const log = pino({ level: 'warn' }, pino.destination(2));
  const chain = await startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(firstKey), log });
  closers.push(() => chain.stop());
  const rpc = rpcClient(chain.rpcUrl);
  for (const key of keys) await rpc('anvil_setBalance', [privateKeyToAddress(key), '0x21e19e0c9bab2400000']);
  const db = createPool({ url: primary.url, connections: 4 });
  closers.push(() => db.end({ timeout: 1 }));
  const agents = await seed(db, counts, privateKeyToAddress(treasuryKey).toLowerCase());
  const replicas: Cluster[] = [];
  for (let made = 0; made < replicaCount; made += 1)
    replicas.push(await (await streamingReplica(clusters, primary, `replica-${made}`)).start());
  const open = await db<{ id: string }[]>`
    select id from projects where status = 'open' and entry_fee_micro < 1000000 order by id limit 2000`;
  const env = {
    NODE_ENV: 'development',
    // The same setting as in production.
    CHECK_ANSWERS: 'off',
    LOG_LEVEL: 'error',
    DATABASE_URL: primary.url,
    RPC_URL: chain.rpcUrl,
    TREASURY_KEY: treasuryKey,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    FACILITATOR_KEYS: keys.join(','),
    LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
    LIMIT_AGENT_READS_PER_MINUTE: UNLIMITED,
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: UNLIMITED,
    LIMIT_PAYMENTS_PER_HOUR: UNLIMITED,
    SEARCHES_PER_CALLER: '1000',
  };
  return {
    db,
    chain,
    projects: counts.projects,
    agents,
    openProjects: open.map(({ id }) => id),
    databasePids: async () => ({
      primary: await processesOf(primary),
      replicas: (await Promise.all(replicas.map(processesOf))).flat(),
    }),
    startFleet: async (processes, count) => await startFleet(env, folder, processes, replicas.slice(0, count)),
    stop,
  };
}

async function seed(db: Db, counts: { projects: number; agents: number }, payTo: string): Promise<SeededAgent[]> {
  await migrate(db);
  // Seeding takes longer than the timeout of a request.
  await db.unsafe(
    `do $$ begin execute format('alter role current_user in database %I reset all', current_database()); end $$`,
  );
  const [found] = await db<{ missing: boolean }[]>`select to_regproc('uuidv7') is null as missing`;
  if (found?.missing) await db.unsafe(UUIDV7);
  const agents = await seedMarketplace(db, {
    ...counts,
    network: 'eip155:84532',
    asset: USDC_ADDRESS.toLowerCase(),
    payTo,
  });
  await db.unsafe('checkpoint');
  return agents;
}

async function processesOf({ data }: Cluster): Promise<number[]> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return [pid, ...(await descendants(pid)).map((each) => each.pid)];
}

async function startFleet(
  env: Record<string, string>,
  folder: string,
  processes: number,
  replicas: Cluster[],
): Promise<Fleet> {
  const readUrl = replicas.length > 0 ? { DATABASE_READ_URL: replicas.map(({ url }) => url).join(',') } : {};
  const running: RunningProcess[] = [];
  const stop = async () => {
    await Promise.all(running.map((each) => each.kill('SIGTERM')));
  };
  const startOne = async (role: string) => {
    const port = await freePort();
    const dataDir = await mkdtemp(join(folder, `${role}-`));
    const one = startScript('server/main.ts', [`--role=${role}`], {
      env: { ...env, ...readUrl, PORT: String(port), DATA_DIR: dataDir },
    });
    running.push(one);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(one, url);
    return { url, pid: one.child.pid ?? 0 };
  };
  try {
    await startOne('worker');
    const apis: { url: string; pid: number }[] = [];
    while (apis.length < processes) apis.push(await startOne('api'));
    for (const { url } of apis)
      await until('every replica is trusted', async () => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return [...metrics.matchAll(/^concours_replica_up\{[^}]+\} 1$/gm)].length === replicas.length;
      });
    return { urls: apis.map(({ url }) => url), pids: apis.map(({ pid }) => pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
