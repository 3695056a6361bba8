import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unprivilegedUser } from '../processes/unprivileged-user.ts';
import { freePort } from '../../../server/devnet/child-process.ts';

const run = promisify(execFile);

/** A PostgreSQL server of Debian with a standby that has each commit before a client hears of it. */
export type ReplicatedPostgres = {
  port: number;
  /** Kills the primary by SIGKILL, and promotes the standby. Returns the port of the new primary. */
  failOver(): Promise<number>;
  stop(): Promise<void>;
};

/** The folder of the newest version, or undefined if the machine has none. */
export const postgresBinaries = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);

export async function startReplicatedPostgres(binaries: string): Promise<ReplicatedPostgres> {
  const account = await unprivilegedUser();
  const folder = await mkdtemp(join(tmpdir(), 'concours-failover-'));
  if (account) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  const pg = async (program: string, args: string[]) =>
    await run(join(binaries, program), args, {
      ...account,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    });
  const start = async (name: string, port: number) => {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 100 };
    const options = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
    // The log is a file: pg_ctl's children would keep a pipe open.
    const places = ['-D', join(folder, name), '-l', join(folder, `${name}.log`)];
    await pg('pg_ctl', ['start', '-w', ...places, '-o', options.join(' ')]);
  };
  const pidOf = async (name: string) =>
    Number((await readFile(join(folder, name, 'postmaster.pid'), 'utf8')).split('\n')[0]);

  const [port, standbyPort] = [await freePort(), await freePort()];
  const connection = `host=127.0.0.1 port=${port} user=concours application_name=standby`;
  await pg('initdb', ['-D', join(folder, 'primary'), '-U', 'concours', '--auth=trust', '-E', 'UTF8', '--no-sync']);
  await start('primary', port);
  const copy = [
    '-D',
    join(folder, 'standby'),
    '-d',
    connection,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ];
  await pg('pg_basebackup', copy);
  await start('standby', standbyPort);
  const ask = ['-h', '127.0.0.1', '-p', String(port), '-U', 'concours', '-d', 'postgres', '-c'];
  await pg('psql', [...ask, "alter system set synchronous_standby_names = 'standby'"]);
  await pg('psql', [...ask, 'select pg_reload_conf()']);
  return {
    port,
    async failOver() {
      process.kill(await pidOf('primary'), 'SIGKILL');
      await pg('pg_ctl', ['promote', '-w', '-D', join(folder, 'standby')]);
      return standbyPort;
    },
    async stop() {
      for (const name of ['primary', 'standby'])
        await pg('pg_ctl', ['stop', '-m', 'immediate', '-D', join(folder, name)]).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}
