import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { childEnvironment, findProgram } from './child-process.ts';
import { copyBinaries, EmbeddedPostgresError, packagedBinaries, program, usableBinaries } from './postgres-binaries.ts';

const run = promisify(execFile);
const NOBODY = 65_534;
/** A file beside a database outside the data folder; it names that data folder. */
const OWNER_FILE = 'data-folder';

/** The user, the binaries, and the folder with which PostgreSQL runs. */
export type Account = {
  native: string;
  /** The folder of the clusters: DATA_DIR, unless the account cannot reach it. */
  home: string;
  identity?: { uid: number; gid: number };
  wrapper?: string[];
  /** The required owner of the cluster's files; `undefined` leaves them as they are. */
  owner?: { uid: number; gid: number };
};

type Candidate = Pick<Account, 'identity' | 'wrapper' | 'owner'>;

export type AccountOptions = {
  dataDir: string;
  log: Logger;
  /** Tests simulate systems without user namespaces, and another folder that `nobody` can reach. */
  unshare?: string | null;
  reachable?: string;
};

/**
 * Chooses the account that runs PostgreSQL, which refuses to run as root. An ordinary user runs it directly. Root tries:
 * 1. a user namespace in which root appears as nobody; root still owns the files, so 0700 parent folders do not matter;
 * 2. the user nobody;
 * 3. the user nobody, with the binaries and if necessary the data in a folder that nobody can reach.
 */
export async function chooseAccount(options: AccountOptions): Promise<Account> {
  const { dataDir } = options;
  const native = await usableBinaries(packagedBinaries(), dataDir);
  if (process.getuid?.() !== 0) return { native, home: dataDir };
  const linked = await linkedHome(dataDir);
  const unshare = options.unshare === undefined ? findProgram('unshare') : options.unshare;
  if (process.platform === 'linux' && unshare) {
    const namespace: Candidate = {
      wrapper: [unshare, '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
      owner: { uid: 0, gid: 0 },
    };
    const reached = (await may(namespace, program(native, 'postgres'))) && (await may(namespace, dataDir));
    if (reached) return { ...namespace, native, home: dataDir };
  }
  return asNobody(native, linked, options);
}

async function asNobody(native: string, linked: string | null, options: AccountOptions): Promise<Account> {
  const { dataDir, log, reachable = '/var/lib' } = options;
  const identity = await nobody();
  const candidate: Candidate = { identity, owner: identity };
  // The user nobody must pass through the data folder. It still cannot list it, and secrets are 0600.
  if (await may(candidate, dirname(dataDir))) await chmod(dataDir, (await stat(dataDir)).mode | 0o001);
  if (await may(candidate, dataDir)) {
    const found = (await may(candidate, program(native, 'postgres'))) ? native : await copyBinaries(native, dataDir);
    if (await may(candidate, program(found, 'postgres'))) return { ...candidate, native: found, home: dataDir };
  }
  const home = linked ?? (await elsewhere(dataDir, reachable));
  const copy = await copyBinaries(native, home);
  if (!(await may(candidate, program(copy, 'postgres')))) {
    throw unreachable(`neither ${dataDir} nor ${home} can be reached by the user nobody`);
  }
  log.warn(
    { folder: home },
    'PostgreSQL runs as the user nobody, which cannot reach the data folder: the database is in another folder',
  );
  return { ...candidate, native: copy, home };
}

/** Creates a folder for the database outside the data folder, and a link to it inside. */
async function elsewhere(dataDir: string, reachable: string): Promise<string> {
  const note = join(dataDir, 'postgres');
  if (existsSync(note)) throw unreachable(`the database in ${note} can't be reached by the user nobody`);
  const home = join(reachable, `concours-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
  try {
    await mkdir(home, { recursive: true });
    await chmod(home, 0o755);
    await writeFile(join(home, OWNER_FILE), dataDir);
    await symlink(join(home, 'postgres'), note);
  } catch (cause) {
    throw unreachable(`${dataDir} can't be reached by the user nobody, and ${home} can't be made`, cause);
  }
  return home;
}

/**
 * Returns the database's folder when an earlier start put it outside.
 *
 * @throws for a copied data folder, whose link leads to the original
 */
async function linkedHome(dataDir: string): Promise<string | null> {
  const note = join(dataDir, 'postgres');
  const target = await readlink(note).catch(() => null);
  if (target === null) return null;
  const home = dirname(target);
  const owner = await readFile(join(home, OWNER_FILE), 'utf8').catch(() => dataDir);
  if (owner !== dataDir && existsSync(owner)) {
    throw new EmbeddedPostgresError(
      `${note} links to the database of ${owner}: remove the link to start with an empty database.`,
    );
  }
  // The data folder was moved, so the database belongs to the new path.
  if (owner !== dataDir) await writeFile(join(home, OWNER_FILE), dataDir);
  return home;
}

function unreachable(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`it does not run as root, and ${reason}.`, { cause });
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
