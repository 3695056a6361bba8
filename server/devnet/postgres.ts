import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { commandLine, endSurvivor, freePort, spawnBound } from './child-process.ts';
import type { BoundChild, ExitReason } from './child-process.ts';
import { chooseAccount, handOver, runAs } from './postgres-account.ts';
import type { Account } from './postgres-account.ts';
import { cannotRun, program } from './postgres-binaries.ts';

const MAJOR = '18';
const USER = 'concours';
/** The longest start is the crash recovery of a large write-ahead log. */
const START_PATIENCE_MS = 60_000;
/** The prefix of the folders in which new clusters are created. */
const STAGING = 'postgres.new';

export type PostgresOptions = {
  dataDir: string;
  password: string;
  log: Logger;
  /** False turns off fsync, which is faster. A crash of the machine may then lose a test's database. */
  durable?: boolean;
};

export type RunningPostgres = {
  url: string;
  /** Resolves when the server ends, for any reason. */
  exited: Promise<ExitReason>;
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a development start, with its data in `dataDir/postgres`. The caller holds the lock
 * of the data folder, so a server that already runs on it survived a killed start, and is stopped first.
 *
 * @throws CannotRun that names DATABASE_URL when PostgreSQL cannot run on this machine
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { password, log, durable = true } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const account = await chooseAccount(dataDir);
  const cluster = join(dataDir, 'postgres');
  await clearStaging(dataDir);
  const isNew = !(await hasCluster(cluster));
  if (isNew) await createCluster(account, cluster, password);
  else {
    await handOver(cluster, account.owner);
    await clearSurvivor(cluster);
  }
  const { child, port } = await launch(account, cluster, durable, log);
  // initdb ran without sync. Write the new cluster to disk before it stores any data.
  if (isNew && durable) await initdb(account, ['--sync-only', '-D', cluster]);
  return {
    url: `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    exited: child.exited,
    // SIGINT is a fast shutdown with a checkpoint. SIGQUIT is an immediate one, with recovery at the next start.
    stop: () =>
      child.end([
        ['SIGINT', 20_000],
        ['SIGQUIT', 5_000],
        ['SIGKILL', 5_000],
      ]),
  };
}

async function hasCluster(cluster: string): Promise<boolean> {
  let version: string;
  try {
    version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cannotRun(`${cluster} cannot be read (${(error as Error).message}).`, error);
  }
  if (version === MAJOR) return true;
  throw cannotRun(
    `the data in ${cluster} belongs to PostgreSQL ${version}, and this is version ${MAJOR}: dump it with the old version first.`,
  );
}

/** Removes what killed starts left. If their initdb still runs and prevents that, a later start removes it. */
async function clearStaging(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(STAGING));
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {});
}

/**
 * Creates a cluster in a new folder beside its place and moves it there, so that a killed start leaves no half cluster.
 * An initdb that survives its start continues in its own folder.
 */
async function createCluster(account: Account, cluster: string, password: string): Promise<void> {
  const staging = await mkdtemp(`${cluster}.new-`);
  const passwordFile = join(staging, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await handOver(staging, account.owner);
  await initdb(account, [
    '-D',
    join(staging, 'data'),
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point, so the order is the same on every system and library version.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ]);
  await rename(join(staging, 'data'), cluster);
  await rm(staging, { recursive: true, force: true });
  // A lax umask must not expose the data to other users.
  await chmod(cluster, 0o700);
}

async function initdb(account: Account, args: string[]): Promise<void> {
  try {
    await runAs(account, program(account.native, 'initdb'), args);
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    throw cannotRun(`initdb failed: ${stderr?.trim() || message}`, cause);
  }
}

/**
 * Stops a server that survived a killed start. Removes a pid file that names another process, or PostgreSQL would not
 * start.
 */
async function clearSurvivor(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (text === null || !Number.isSafeInteger(pid) || pid <= 0) return;
  const outcome = await endSurvivor(pid, ['postgres', cluster]);
  if (outcome === 'stuck') throw cannotRun(`process ${pid} of an earlier start holds ${cluster} and does not end.`);
  if (outcome === 'absent' && (await commandLine(pid)) !== null) await rm(pidFile, { force: true });
}

async function launch(
  account: Account,
  cluster: string,
  durable: boolean,
  log: Logger,
): Promise<{ child: BoundChild; port: number }> {
  let reason = '';
  for (let attempt = 1; attempt <= 20; attempt++) {
    const port = await freePort();
    const child = spawnBound(program(account.native, 'postgres'), ['-D', cluster, ...settings(port, durable)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(account.identity ? { identity: account.identity } : {}),
      ...(account.wrapper ? { wrapper: account.wrapper } : {}),
    });
    const failure = await untilReady(child, log);
    if (failure === null) return { child, port };
    reason = failure;
    // The port was taken meanwhile, or children of a killed server still hold its shared memory.
    if (!/could not bind|Address already in use|still in use|lock file/.test(failure)) break;
    await wait(250);
  }
  throw cannotRun(`the server did not start:\n${reason}`);
}

/** Returns null when the server accepts connections, otherwise its last output. */
async function untilReady(child: BoundChild, log: Logger): Promise<string | null> {
  const said: string[] = [];
  const lines = createInterface({ input: child.process.stderr as Readable });
  const ready = new Promise<true>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('database system is ready to accept connections')) resolve(true);
      if (said.length < 50) said.push(line);
      if (/^(FATAL|PANIC):/.test(line)) log.warn({ part: 'postgres' }, line);
      else log.debug({ part: 'postgres' }, line);
    });
  });
  const timer = new AbortController();
  const late = wait(START_PATIENCE_MS, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
  const outcome = await Promise.race([ready, child.exited, late]);
  timer.abort();
  if (outcome === true) return null;
  if (outcome === 'late')
    await child.end([
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ]);
  return said.join('\n') || `it ended with ${JSON.stringify(outcome)}`;
}

/** Settings on the command line, so that a change here also applies to existing clusters. */
function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    // Many services share the server of a test run, which is never durable.
    max_connections: durable ? 200 : 500,
    // PostgreSQL touches it page by page, so an idle server stays near 30 MB.
    shared_buffers: '128MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    // The statements take less time than their compilation.
    jit: 'off',
    // No replicas and no I/O workers: fewer processes, and a smaller log.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    io_method: 'sync',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Do not log failed statements, because they may contain what users sent.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
