import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { isOlder, listApplied } from '../../server/db/migration-state.ts';
import { createPool } from '../../server/db/pool.ts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { Db } from '../../server/ports/database.ts';
import { expectOlderAnswers } from '../support/clients/check-answer.ts';
import { ledger, openProject, registerAgent } from '../support/clients/journey.ts';
import { type RunningProcess, startProgram, until } from '../support/processes/processes.ts';
import { Balancer } from './balancer.ts';
import { Load, playersOf } from './load.ts';
import { nextVersion } from './next-version.ts';
import { unpack } from './versions.ts';
import { removeFolder } from '../support/remove-folder.ts';

const PROCESSES = 2;
const START_MS = 240_000;
/** An agent of the lowest tier enters at most five projects a day. */
const PROJECTS = 4;
/** Every fifth request enters a project. So many agents have something to enter until the end. */
const REQUESTS_PER_AGENT = 5 * PROJECTS;
/** A slow start of a process adds requests. */
const MORE_AGENTS = 20;
const UNLIMITED = '1000000';
const UNLIMITED_SEARCHES = '1000';

export type UpgradeOptions = {
  /** The commit of the version before. */
  from: string;
  requests: number;
  perSecond: number;
  /** A database server, and an S3 store with the bucket of the tests. */
  postgresUrl: string;
  s3Endpoint: string;
  say: (line: string) => void;
};

export type UpgradeReport = {
  sent: number;
  failed: string[];
  entered: number;
  paid: number;
  /** The payments that were answered between the first and the last replacement of a process. */
  paidWhileReplacing: number;
  /** Acknowledged entries and payments that the database does not have. */
  lost: number;
  booksProblems: unknown;
  /** The migrations of each phase, which ran under load. */
  expanded: string[];
  contracted: string[];
  /** Whether the version before may not serve the new schema: it knows no kinds, or a contract migration ended its service. */
  mustRefuse: boolean;
  /** Its words when it was started after the upgrade; null if it started. */
  refusal: string | null;
};

/**
 * Upgrades a service of two processes under load, from a commit to the working tree: expand, replace each process,
 * contract. The working tree gets a migration that contracts (`nextVersion`), so the version before, which is started
 * once more, must refuse.
 */
export async function rollingUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-upgrade-'));
  const before = join(folder, 'before');
  const database = `upgrade_${randomBytes(6).toString('hex')}`;
  const admin = createPool({ url: options.postgresUrl, connections: 1 });
  const facilitatorKey = generatePrivateKey();
  const after = join(folder, 'after');
  await unpack(options.from, before);
  await nextVersion(after);
  await admin.unsafe(`create database ${database}`);
  const chain = await startChain({
    dataDir: folder,
    facilitatorAddress: privateKeyToAddress(facilitatorKey),
    log: pino({ level: 'silent' }),
    durable: false,
  });
  const url = Object.assign(new URL(options.postgresUrl), { pathname: `/${database}` }).toString();
  const env = {
    ...environment(options, facilitatorKey),
    DATABASE_URL: url,
    RPC_URL: chain.rpcUrl,
    // The versions share what they have compiled, where the texts of their files are equal.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
  };
  const fleet = new Fleet(env, { before, after });
  try {
    return await upgrade(options, fleet, { url, mint: chain.mintUsdc, operatorKey: env.OPERATOR_KEY });
  } finally {
    await fleet.stop();
    await chain.stop();
    await admin.unsafe(`drop database if exists ${database} with (force)`);
    await admin.end();
    await removeFolder(folder);
  }
}

type Place = { url: string; mint: (address: string, micro: number) => Promise<unknown>; operatorKey: string };

async function upgrade(
  { requests, perSecond, say }: UpgradeOptions,
  fleet: Fleet,
  { url, mint, operatorKey }: Place,
): Promise<UpgradeReport> {
  expectOlderAnswers();
  for (let started = 0; started < PROCESSES; started += 1) await fleet.start('before');
  const first = fleet.balancer.next();
  const projects: string[] = [];
  const fields = { deadline: new Date(Date.now() + 86_400_000) };
  while (projects.length < PROJECTS) projects.push((await openProject({ url: first, mintUsdc: mint }, fields)).id);
  const keys: string[] = [];
  while (keys.length < requests / REQUESTS_PER_AGENT + MORE_AGENTS) keys.push((await registerAgent(first)).key);
  const load = new Load(await playersOf(keys, projects, mint), () => fleet.balancer.next(), perSecond);
  await load.sent(requests * 0.1);
  const expanded = await fleet.migrate('expand');
  say(`expand: ${expanded.join(', ')}`);
  await load.sent(requests * 0.3);
  const paidBefore = load.outcome.paid.length;
  for (let replaced = 0; replaced < PROCESSES; replaced += 1) {
    await fleet.start('after');
    await fleet.endOldest();
    say(`replaced ${replaced + 1} of ${PROCESSES} processes after ${load.outcome.sent} requests`);
  }
  const paidWhileReplacing = load.outcome.paid.length - paidBefore;
  await load.sent(requests * 0.8);
  const contracted = await fleet.migrate('contract');
  say(`contract: ${contracted.join(', ')}`);
  await load.sent(requests);
  const { sent, failed, entered, paid } = await load.stop();
  const db = createPool({ url, connections: 1 });
  try {
    const booked = async () => (await countOf(db, paid, true)) === paid.length || null;
    await until('every paid entry is booked', booked, 20_000).catch(() => {});
    const lost = entered.length - (await countOf(db, entered, false)) + paid.length - (await countOf(db, paid, true));
    const { problems } = await ledger({ url: fleet.balancer.next(), operatorKey });
    return {
      sent,
      failed,
      entered: entered.length,
      paid: paid.length,
      paidWhileReplacing,
      lost,
      booksProblems: problems,
      expanded,
      contracted,
      mustRefuse: await fleet.oldMustRefuse(db),
      refusal: await fleet.tryOld(),
    };
  } finally {
    await db.end();
  }
}

async function countOf(db: Db, ids: string[], paid: boolean): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from submissions s where id = any(${ids}::uuid[])
      and (not ${paid} or exists (select 1 from payments p where p.subject_id = s.id and p.state = 'settled'))`;
  return row?.count ?? 0;
}

function environment({ s3Endpoint }: UpgradeOptions, facilitatorKey: string) {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://market.example',
    S3_ENDPOINT: s3Endpoint,
    S3_BUCKET: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
    S3_ACCESS_KEY_ID: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
    S3_SECRET_ACCESS_KEY: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
    NETWORK: 'eip155:84532',
    FACILITATOR_KEY: facilitatorKey,
    TREASURY_KEY: generatePrivateKey(),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    OPERATOR_KEY: randomBytes(32).toString('base64url'),
    EARLY_ACCESS_SECONDS: '0',
    LOG_LEVEL: 'error',
    // A busy machine slows searches down. The service would refuse those that take long, which is no fault of an upgrade.
    SEARCH_TIMEOUT_MS: '10000',
    SEARCHES_PER_CALLER: UNLIMITED_SEARCHES,
    LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
    LIMIT_AGENT_READS_PER_MINUTE: UNLIMITED,
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: UNLIMITED,
    LIMIT_PAYMENTS_PER_HOUR: UNLIMITED,
    LIMIT_REGISTRATIONS_PER_HOUR: UNLIMITED,
    LIMIT_POSTER_PER_MINUTE: UNLIMITED,
    LIMIT_PUBLIC_READS_PER_MINUTE: UNLIMITED,
  };
}

/** Waits longer than `untilReady`, because the load needs the processors too. Throws if the process ends first. */
async function readyOrEnded(started: RunningProcess, url: string): Promise<void> {
  let ended = false;
  void started.ended.then(() => (ended = true));
  const ready = async () => {
    if (ended) throw new Error(`the service ended:\n${started.output()}`);
    return await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  };
  await until(`${url} ready`, ready, START_MS);
}

/** The processes of the service, oldest first, and the balancer before them. */
class Fleet {
  readonly balancer = new Balancer();
  readonly #running: { process: RunningProcess; url: string }[] = [];
  readonly #env: Record<string, string>;
  readonly #folders: Record<'before' | 'after', string>;

  constructor(env: Record<string, string>, folders: Record<'before' | 'after', string>) {
    this.#env = env;
    this.#folders = folders;
  }

  async start(version: 'before' | 'after'): Promise<void> {
    const port = await freePort();
    const env = { ...this.#env, PORT: String(port), MIGRATE: version === 'before' ? 'all' : 'off' };
    const main = join(this.#folders[version], 'server', 'main.ts');
    const started = startProgram(main, [], { env });
    const url = `http://127.0.0.1:${port}`;
    this.#running.push({ process: started, url });
    await readyOrEnded(started, url);
    await this.balancer.add(url);
  }

  /** Ends the oldest process as a service manager does. It drains, and must end without an error. */
  async endOldest(): Promise<void> {
    const oldest = this.#running.shift();
    if (!oldest) throw new Error('no process runs');
    const code = await oldest.process.kill('SIGTERM');
    this.balancer.remove(oldest.url);
    if (code !== 0) throw new Error(`a process ended with ${code}:\n${oldest.process.output()}`);
  }

  /** Runs `concours-server migrate` of the new version. Returns what it applied. */
  async migrate(phase: 'expand' | 'contract'): Promise<string[]> {
    const command = join(this.#folders.after, 'server', 'command', 'concours-server.mjs');
    const running = startProgram(command, ['migrate', '--phase', phase], { env: this.#env });
    const code = await running.ended;
    if (code !== 0) throw new Error(`migrate --phase ${phase} ended with ${code}:\n${running.output()}`);
    return [...running.output().matchAll(/^applied (\S+)/gm)].map(([, name = '']) => name);
  }

  async oldMustRefuse(db: Db): Promise<boolean> {
    const read = async (...path: string[]) =>
      await readFile(join(this.#folders.before, ...path), 'utf8').catch(() => null);
    if ((await read('server', 'db', 'migration-state.ts')) === null) return true;
    const { version } = JSON.parse((await read('package.json')) ?? '{}') as { version: string };
    const applied = await listApplied(db);
    return applied.some(({ lowestCode }) => lowestCode !== null && isOlder(version, lowestCode));
  }

  /** Starts the version before. Returns its words if it ends with an error, and null if it becomes ready. */
  async tryOld(): Promise<string | null> {
    const port = await freePort();
    const env = { ...this.#env, PORT: String(port), MIGRATE: 'off' };
    const old = startProgram(join(this.#folders.before, 'server', 'main.ts'), [], { env });
    const starts = await readyOrEnded(old, `http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
    await old.kill('SIGKILL');
    return starts ? null : old.output().trim();
  }

  async stop(): Promise<void> {
    await this.balancer.stop();
    for (const { process: running } of this.#running) await running.kill('SIGKILL');
  }
}
