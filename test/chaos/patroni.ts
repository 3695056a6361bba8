import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, freePort } from '../../server/devnet/child-process.ts';
import { until } from '../support/processes/processes.ts';
import { type Part, type ProgramHome, Program } from './program.ts';

const NODES = 3;
const WHOLE_MS = 120_000;

/**
 * A standby takes over when the primary has not renewed its lease for 5 s. `synchronous_mode` makes a commit wait for one
 * standby, and only that standby may take over. `failsafe_mode` keeps the primary while etcd has no leader.
 */
const RULES = {
  ttl: 5,
  loop_wait: 1,
  retry_timeout: 2,
  synchronous_mode: true,
  failsafe_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      max_connections: 200,
      wal_log_hints: 'on',
      hot_standby_feedback: 'on',
      // After a failover, a standby tries to connect once before its slot exists, and again after this time (default: 5 s).
      wal_retrieve_retry_interval: '500ms',
      // The processes of the test are killed, and not the machine, so no write is lost without it.
      fsync: 'off',
    },
  },
};

/** One machine of the database: PostgreSQL and the Patroni that runs it. They are killed together. */
export type DatabaseNode = Part & { name: string; port: number; restPort: number };

type Status = { state: string; role: string; replication?: { state: string; sync_state: string }[] };

/** Three PostgreSQL servers that Patroni and a three-member etcd keep as one primary and two standbys. */
export async function startPatroni(home: ProgramHome, binaries: string, onStop: (close: () => Promise<void>) => void) {
  const { etcd, hosts } = await startEtcd(home);
  const nodes: DatabaseNode[] = [];
  for (let number = 1; number <= NODES; number += 1) nodes.push(await createNode(home, `pg${number}`, binaries, hosts));
  onStop(async () => {
    for (const part of [...nodes, ...etcd]) await part.kill();
  });

  const primary = () =>
    until('a primary', async () => {
      for (const node of nodes) if (isPrimary(await statusOf(node))) return node;
      return null;
    });

  async function isWhole(): Promise<boolean> {
    const all = await Promise.all(nodes.map(statusOf));
    const [first, ...others] = all.filter(isPrimary);
    const streaming = first?.replication?.filter(({ state }) => state === 'streaming') ?? [];
    const isSafe = streaming.some(({ sync_state: kind }) => kind === 'sync');
    const isRunning = all.every((one) => one?.state === 'running') && others.length === 0;
    if (isRunning && isSafe && streaming.length === NODES - 1) return true;
    await sleep(200);
    return false;
  }
  /** Resolves when the primary has two standbys that stream, one of which has each commit. */
  const untilWhole = () => until('a whole database cluster', isWhole, WHOLE_MS);

  for (const node of nodes) await node.start();
  await untilWhole();
  return {
    etcd,
    nodes,
    primary,
    untilWhole,
    /** Returns a standby: the one that commits wait for, or the other one. */
    async standby(): Promise<DatabaseNode> {
      const current = await primary();
      return nodes.find((node) => node !== current) ?? current;
    },
    /** Resolves when another node than this one is the primary. */
    untilReplaced: (old: DatabaseNode) => until('another primary', async () => (await primary()) !== old, WHOLE_MS),
  };
}

async function startEtcd(home: ProgramHome): Promise<{ etcd: Part[]; hosts: string[] }> {
  const members: { name: string; client: string; peer: string }[] = [];
  const address = async () => `127.0.0.1:${await freePort()}`;
  for (let number = 1; number <= NODES; number += 1)
    members.push({ name: `etcd${number}`, client: await address(), peer: await address() });
  const all = members.map(({ name, peer }) => `${name}=http://${peer}`).join(',');
  const etcd = members.map(({ name, client, peer }) => {
    const settings = {
      name,
      'data-dir': join(home.folder, name),
      'listen-client-urls': `http://${client}`,
      'advertise-client-urls': `http://${client}`,
      'listen-peer-urls': `http://${peer}`,
      'initial-advertise-peer-urls': `http://${peer}`,
      'initial-cluster': all,
      'initial-cluster-state': 'new',
    };
    const args = Object.entries(settings).flatMap(([setting, value]) => [`--${setting}`, value]);
    return new Program(home, name, ['etcd', ...args]);
  });
  for (const member of etcd) await member.start();
  return { etcd, hosts: members.map(({ client }) => client) };
}

async function createNode(home: ProgramHome, name: string, binaries: string, hosts: string[]): Promise<DatabaseNode> {
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(home.folder, name);
  const config = {
    scope: 'concours',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts },
    bootstrap: { dcs: RULES, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'no-sync'] },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: binaries,
      pgpass: join(home.folder, `${name}.pgpass`),
      authentication: { superuser: { username: 'concours' }, replication: { username: 'replicator' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: '' },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
  const file = join(home.folder, `${name}.yml`);
  // JSON is YAML, too.
  await writeFile(file, JSON.stringify(config));
  const patroni = new Program(home, name, ['patroni', file]);
  return {
    name,
    port,
    restPort,
    start: async () => await patroni.start(),
    async kill() {
      await patroni.kill();
      await killPostgres(data);
    },
  };
}

/** Kills the server whose data is in the folder. Its children end when they see that it is gone. */
async function killPostgres(data: string): Promise<void> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  const isRunning = async () => (await commandLine(pid))?.includes(data) === true;
  if (pid <= 0 || !(await isRunning())) return;
  process.kill(pid, 'SIGKILL');
  await until('PostgreSQL ends', async () => !(await isRunning()));
}

function isPrimary(status: Status | null): boolean {
  return status?.role === 'master' || status?.role === 'primary';
}

/** Asks the Patroni of a node for the state of its own PostgreSQL. */
async function statusOf({ restPort }: DatabaseNode): Promise<Status | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${restPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
    return (await response.json()) as Status;
  } catch {
    return null;
  }
}
