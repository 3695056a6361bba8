import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { migrateApart } from '../../../server/db/prepare.ts';
import { createPool } from '../../../server/db/pool.ts';
import { firstLine, type RunningProcess, startScript } from './processes.ts';

const PASSWORD = 'signer';

/**
 * Creates a role of the database as docs/operators/keys.md says, for one test file. Returns the URL with that role.
 * Call it at the top of the file.
 */
export async function signerRole(databaseUrl: string): Promise<string> {
  const role = `signer_${randomBytes(4).toString('hex')}`;
  const admin = createPool({ url: databaseUrl, connections: 1 });
  await admin.unsafe(`create role ${role} login password '${PASSWORD}'`);
  await admin.end();
  after(async () => {
    // The database is gone by now, and its grants with it.
    const server = createPool({
      url: Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).toString(),
      connections: 1,
    });
    await server.unsafe(`drop role ${role}`).catch(() => {});
    await server.end({ timeout: 1 });
  });
  await migrateApart(databaseUrl, { phase: 'expand', signerRole: role });
  return Object.assign(new URL(databaseUrl), { username: role, password: PASSWORD }).toString();
}

/** Starts `concours-server signer`. Everything ends with the file: call it at the top. */
export function signerProcesses() {
  const started: RunningProcess[] = [];
  after(async () => {
    for (const running of started) await running.kill('SIGKILL');
  });
  const launch = (env: Record<string, string>): RunningProcess => {
    const running = startScript('server/command/concours-server.mjs', ['signer'], { env });
    started.push(running);
    return running;
  };
  return {
    /** Does not wait for it. */
    launch,
    /** Waits until it listens. */
    async start(env: Record<string, string>): Promise<RunningProcess> {
      const running = launch(env);
      await firstLine(running);
      return running;
    },
  };
}
