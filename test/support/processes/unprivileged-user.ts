import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the account `postgres` if this process runs as root, as which PostgreSQL refuses to run; otherwise null. */
export async function unprivilegedUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const { stdout } = await promisify(execFile)('getent', ['passwd', 'postgres']);
  const [, , uid, gid] = stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
