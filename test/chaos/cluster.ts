import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { createPool } from '../../server/db/pool.ts';
import { type RunningChain, startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { Db } from '../../server/db/database.ts';
import { run, until } from '../support/processes/processes.ts';
import { type PoolMode, startPgbouncer } from '../support/servers/pgbouncer.ts';
import { debianPostgres } from '../support/servers/postgres-cluster.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startDatabaseProxy } from './haproxy.ts';
import { type DatabaseNode, startPatroni } from './patroni.ts';
import { type Part, type ProgramHome, Program, untilListening } from './program.ts';
import { createProcess, createSettings, migrate, type ServicePart } from './service.ts';
import { startS3 } from './s3.ts';
import { removeFolder } from '../support/remove-folder.ts';

const DATABASE = 'concours_chaos';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export type Pooler = PoolMode | 'none';
/** The parts that are killed. `pooler` is there only with a pooler. */
const PARTS = ['primary', 'replica', 'etcd', 'pooler', 'api', 'worker', 'redis', 's3', 'node'] as const;
export type PartName = (typeof PARTS)[number];

export type Cluster = {
  apis: ServicePart[];
  worker: ServicePart;
  /** Reads the database by way of HAProxy, without the pooler. */
  db: Db;
  /** The chain itself, which outlives its node. */
  chain: RunningChain;
  treasury: string;
  operatorKey: string;
  parts: PartName[];
  /** Kills a part, starts it again after `downMs`, and resolves when the whole cluster serves. */
  killAndStart(name: PartName, downMs: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the service with everything around it, all on loopback: three PostgreSQL servers under Patroni with etcd, HAProxy,
 * PgBouncer, Redis, an S3, a chain, two api processes, and a worker.
 */
export async function startCluster(pooler: Pooler): Promise<Cluster> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    for (const close of closers.toReversed()) await close().catch(() => {});
  };
  // The parts of Ceph and PostgreSQL would outlive this process.
  const interrupted = () => void stop().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    return { ...(await build(pooler, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(pooler: Pooler, closers: (() => Promise<unknown>)[]): Promise<Omit<Cluster, 'stop'>> {
  const home = await createHome(closers);
  const binaries = await debianPostgres();
  if (binaries === null) throw new Error('this machine has no PostgreSQL of Debian');
  const facilitatorKey = generatePrivateKey();
  const [patroni, s3, chain, redis] = await Promise.all([
    startPatroni(home, binaries, (close) => closers.push(close)),
    startS3(join(home.folder, 'ceph'), (close) => closers.push(close)),
    startOwnChain(home, facilitatorKey, closers),
    startRedis(home, closers),
  ]);
  const proxy = await startDatabaseProxy(home, patroni.nodes);
  closers.push(() => proxy.program.kill());
  const node = await startRelay(Number(new URL(chain.rpcUrl).port));
  closers.push(() => node.cut());
  const direct = `postgres://concours@127.0.0.1:${proxy.primaryPort}/${DATABASE}`;
  await createDatabase(direct, patroni.nodes.length);
  const pooled = pooler === 'none' ? null : await poolerPart(direct, pooler, closers);
  const settings = createSettings({
    databaseUrl: pooled?.url ?? direct,
    redisUrl: redis.url,
    rpcUrl: `http://127.0.0.1:${node.port}`,
    s3Endpoint: s3.endpoint,
    facilitatorKey,
    // Debian's PgBouncer is 1.18, which knows no prepared statements in transaction mode.
    pooler: pooled && { prepares: pooler === 'session' },
  });
  const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(home.folder, 'compiled') };
  await migrate({ ...settings.of('worker'), DATABASE_URL: direct, ...compiled });
  const start = async (role: 'api' | 'worker') => {
    const part = await createProcess(role, { ...settings.of(role), ...compiled });
    closers.push(() => part.kill());
    await part.start();
    return part;
  };
  const [first, second, worker] = [await start('api'), await start('api'), await start('worker')];
  const services = [first, second, worker];
  for (const part of services) await part.untilReady();
  const db = createPool({ url: direct, connections: 2 });
  closers.push(() => db.end({ timeout: 1 }));

  const rounds = new Map<PartName, number>();
  let turn = 0;
  const inTurn = <T>(parts: T[]): T => parts[turn % parts.length] as T;
  const partOf = async (name: PartName): Promise<Part> => {
    turn = rounds.get(name) ?? 0;
    rounds.set(name, turn + 1);
    if (name === 'primary') return await patroni.primary();
    if (name === 'replica') return await patroni.standby();
    const others = {
      etcd: inTurn(patroni.etcd),
      pooler: pooled,
      api: inTurn([first, second]),
      worker,
      redis: redis.part,
      s3,
      node: { kill: () => node.cut(), start: () => node.mend() },
    };
    const found = others[name];
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  return {
    apis: [first, second],
    worker,
    db,
    chain,
    treasury: settings.treasury,
    operatorKey: settings.operatorKey,
    parts: PARTS.filter((name) => name !== 'pooler' || pooled !== null),
    async killAndStart(name, downMs) {
      const part = await partOf(name);
      await part.kill();
      if (name === 'primary') await patroni.untilReplaced(part as DatabaseNode);
      await sleep(downMs);
      await part.start();
      await patroni.untilWhole();
      for (const service of services) await service.untilReady();
    },
  };
}

async function createHome(closers: (() => Promise<unknown>)[]): Promise<ProgramHome> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-chaos-'));
  closers.push(() => removeFolder(folder));
  const identity = await unprivilegedUser();
  if (identity) await chown(folder, identity.uid, identity.gid);
  await chmod(folder, 0o755);
  return { folder, ...(identity ? { identity } : {}) };
}

async function startOwnChain(
  { folder }: ProgramHome,
  facilitatorKey: `0x${string}`,
  closers: (() => Promise<unknown>)[],
): Promise<RunningChain> {
  const facilitatorAddress = privateKeyToAddress(facilitatorKey);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const chain = await startChain({ dataDir, facilitatorAddress, log: pino({ level: 'silent' }), durable: false });
  closers.push(() => chain.stop());
  return chain;
}

async function startRedis(
  home: ProgramHome,
  closers: (() => Promise<unknown>)[],
): Promise<{ url: string; part: Part }> {
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: home.folder };
  const file = join(home.folder, 'redis.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value === '' ? '""' : value}`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const part = new Program(home, 'redis', ['redis-server', file]);
  closers.push(() => part.kill());
  await part.start();
  await untilListening(part, 'redis', port);
  return { url: `redis://127.0.0.1:${port}`, part };
}

/** HAProxy takes every server for a primary until its first checks are over, and leads connections to them in turns. */
async function createDatabase(direct: string, servers: number): Promise<void> {
  const ask = async (text: string) => {
    const admin = createPool({ url: direct.replace(/[^/]+$/, 'postgres'), connections: 1 });
    try {
      return (await admin.unsafe(text))[0];
    } finally {
      await admin.end({ timeout: 0 });
    }
  };
  await until('the primary alone by way of HAProxy', async () => {
    for (let server = 0; server < servers; server += 1) {
      const found = await ask('select pg_is_in_recovery() as standby').catch(() => null);
      if (found?.['standby'] !== false) return false;
    }
    return true;
  });
  await ask(`create database ${DATABASE}`);
}

async function poolerPart(
  direct: string,
  mode: PoolMode,
  closers: (() => Promise<unknown>)[],
): Promise<Part & { url: string }> {
  let running = await startPgbouncer(direct, mode);
  const { url } = running;
  closers.push(() => running.stop());
  return {
    url,
    kill: async () => await running.stop(),
    async start() {
      running = await startPgbouncer(direct, mode, Number(new URL(url).port));
    },
  };
}

/** Returns the account `postgres` if this process runs as root, as which PostgreSQL refuses to run; otherwise null. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const { stdout } = await run('getent', ['passwd', 'postgres']);
  const [, , uid, gid] = stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
