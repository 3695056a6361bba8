import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../server/devnet/child-process.ts';
import { until } from '../processes/processes.ts';

export type PoolMode = 'session' | 'transaction';

/** Starts Debian's PgBouncer before the database at `url`. Its own URL leads to the same database. */
export async function startPgbouncer(
  url: string,
  mode: PoolMode,
  port?: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-pgbouncer-'));
  // PgBouncer refuses to run as root, and the account to which it changes must read its folder.
  await chmod(folder, 0o755);
  const { hostname, pathname, username, password } = new URL(url);
  const name = pathname.slice(1);
  const ownPort = port ?? (await freePort());
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    [
      '[databases]',
      `${name} = host=${hostname} port=${new URL(url).port} dbname=${name} user=${username}${password ? ` password=${password}` : ''}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      // In session mode, each connection of the service needs one of these.
      'default_pool_size = 60',
      // The default is 15 s: for so long after a failover, PgBouncer would refuse clients.
      'server_login_retry = 1',
      'ignore_startup_parameters = options',
    ].join('\n'),
  );
  await chmod(config, 0o644);
  const asOther = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', ['-q', ...asOther, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  await until('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${said.join('')}`);
    const socket = connect(ownPort, '127.0.0.1');
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return listens;
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: `postgres://${username || 'concours'}@127.0.0.1:${ownPort}/${name}`, stop };
}
