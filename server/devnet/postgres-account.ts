import { execFile } from 'node:child_process';
import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, findProgram } from './child-process.ts';
import { cannotRun, copyBinaries, packagedBinaries, program, usableBinaries } from './postgres-binaries.ts';

const run = promisify(execFile);
const NOBODY = 65_534;

/** The user and the binaries with which PostgreSQL runs. */
export type Account = {
  native: string;
  identity?: { uid: number; gid: number };
  wrapper?: string[];
  /** The required owner of the cluster's files; `undefined` leaves them as they are. */
  owner?: { uid: number; gid: number };
};

type Candidate = Omit<Account, 'native'>;

/**
 * Chooses the account that runs PostgreSQL, which refuses to run as root. An ordinary user runs it directly. Root tries:
 * 1. a user namespace in which root appears as nobody; root still owns the files, so 0700 parent folders do not matter;
 * 2. the user nobody, if necessary with a copy of the binaries in the data folder.
 */
export async function chooseAccount(dataDir: string): Promise<Account> {
  const native = await usableBinaries(packagedBinaries(), dataDir);
  if (process.getuid?.() !== 0) return { native };
  const unshare = process.platform === 'linux' ? findProgram('unshare') : null;
  if (unshare) {
    const wrapper = [unshare, '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
    const namespace: Candidate = { wrapper, owner: { uid: 0, gid: 0 } };
    const reached = (await may(namespace, program(native, 'postgres'))) && (await may(namespace, dataDir));
    if (reached) return { ...namespace, native };
  }
  const identity = await nobody();
  const candidate: Candidate = { identity, owner: identity };
  // The user nobody must pass through the data folder. It still cannot list it, and secrets are 0600.
  if (await may(candidate, dirname(dataDir))) await chmod(dataDir, (await stat(dataDir)).mode | 0o001);
  if (await may(candidate, dataDir)) {
    const found = (await may(candidate, program(native, 'postgres'))) ? native : await copyBinaries(native, dataDir);
    if (await may(candidate, program(found, 'postgres'))) return { ...candidate, native: found };
  }
  throw cannotRun(
    `it does not run as root, and the user nobody cannot reach ${dataDir}. Set DATA_DIR to a folder that it can reach, such as /var/lib/concours.`,
  );
}

/** Returns whether this account can execute a file or enter a folder. */
async function may(candidate: Candidate, path: string): Promise<boolean> {
  return runAs(candidate, '/bin/sh', ['-c', 'test -x "$0"', path]).then(
    () => true,
    () => false,
  );
}

/** Runs a program as this account. Rejects unless it exits with 0. */
export async function runAs(account: Candidate, command: string, args: string[]): Promise<void> {
  const [first, ...rest] = account.wrapper ? [...account.wrapper, command, ...args] : [command, ...args];
  await run(first as string, rest, { ...account.identity, cwd: '/', env: childEnvironment('/') });
}

async function nobody(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => {
    const { stdout } = await run('id', [flag, 'nobody']);
    // macOS prints -2 unsigned.
    return Number(stdout) | 0;
  };
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    return { uid: NOBODY, gid: NOBODY };
  }
}

/** Changes the owner of a folder that another account created, such as a start in a namespace. */
export async function handOver(folder: string, owner: Account['owner']): Promise<void> {
  if (owner === undefined) return;
  const top = await lstat(folder);
  if (top.uid === owner.uid && top.gid === owner.gid) return;
  for (const entry of await readdir(folder, { recursive: true }))
    await lchown(join(folder, entry), owner.uid, owner.gid);
  await lchown(folder, owner.uid, owner.gid);
}
