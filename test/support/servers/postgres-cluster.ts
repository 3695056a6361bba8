import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSIONS = '/usr/lib/postgresql';
const USER = 'concours';

/** Returns the folder of Debian's newest PostgreSQL programs, or null. */
export async function debianPostgres(): Promise<string | null> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.map(Number).toSorted((a, b) => b - a)[0];
  return newest === undefined ? null : join(VERSIONS, String(newest), 'bin');
}

export type Cluster = { data: string; port: number; url: string; stop(): Promise<void> };

/** PostgreSQL servers of Debian in one folder, which `remove` ends and deletes. Root runs them as the user postgres. */
export async function postgresClusters(bin: string) {
  const home = await mkdtemp(join(tmpdir(), 'concours-clusters-'));
  const isRoot = userInfo().uid === 0;
  if (isRoot) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chown(home, Number(stdout), -1);
  }
  await chmod(home, 0o700);
  const running: Cluster[] = [];
  const program = async (name: string, args: string[]) => {
    const [file, all] = [join(bin, name), args];
    await (isRoot
      ? run('runuser', ['-u', 'postgres', '--', file, ...all], { cwd: '/' })
      : run(file, all, { cwd: '/' }));
  };
  return {
    home,
    program,
    async create(name: string, settings: string[]): Promise<string> {
      const data = join(home, name);
      await program('initdb', [
        '-D',
        data,
        '-U',
        USER,
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--no-sync',
      ]);
      await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
      return data;
    },
    /** Copies a running server, as the start of a replica or of a recovery to a point in time. */
    async backUp({ port }: Cluster, name: string): Promise<string> {
      const data = join(home, name);
      await program('pg_basebackup', [
        '-D',
        data,
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        USER,
        '--checkpoint=fast',
      ]);
      return data;
    },
    async start(data: string, port: number, settings: string[] = []): Promise<Cluster> {
      const options = ['-p', String(port), '-k', home, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
      const given = settings.flatMap((setting) => ['-c', `'${setting}'`]);
      const log = join(home, `${port}.log`);
      await program('pg_ctl', [
        'start',
        '-w',
        '-t',
        '120',
        '-D',
        data,
        '-l',
        log,
        '-o',
        [...options, ...given].join(' '),
      ]);
      const cluster: Cluster = {
        data,
        port,
        url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
        stop: async () => await program('pg_ctl', ['stop', '-w', '-D', data, '-m', 'immediate']),
      };
      running.push(cluster);
      return cluster;
    },
    async remove(): Promise<void> {
      for (const { stop } of running) await stop().catch(() => {});
      await rm(home, { recursive: true, force: true });
    },
  };
}
