import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../../server/devnet/child-process.ts';
import { run, until } from '../support/processes/processes.ts';
import type { Part } from './program.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'ceph.sh');

/** An S3 of its own, whose gateway the test kills. Its objects are in another process and stay. */
export async function startS3(
  folder: string,
  onStop: (close: () => Promise<unknown>) => void,
): Promise<Part & { endpoint: string }> {
  onStop(() => run('bash', [SCRIPT, 'stop', folder]));
  const { stdout } = await run('bash', [SCRIPT, 'start', folder], { timeout: 120_000 });
  const config = join(folder, 'ceph.conf');
  const pidFile = join(folder, 'client.admin.pid');
  const running = async () => {
    const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
    return pid > 0 && (await commandLine(pid))?.includes(config) ? pid : null;
  };
  return {
    endpoint: stdout.trim().split('\n').at(-1) ?? '',
    async kill() {
      const pid = await running();
      if (pid === null) return;
      process.kill(pid, 'SIGKILL');
      await until('the gateway ends', async () => (await running()) === null);
    },
    async start() {
      // As scripts/ceph.sh starts it. It goes into the background.
      const options = ['--ms-mon-client-mode=crc', '--auth-client-required=none'];
      const child = spawn('radosgw', ['-c', config, '-n', 'client.admin', ...options], { stdio: 'ignore' });
      await once(child, 'exit');
    },
  };
}
