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
/** Names the data folder that a database outside of it belongs to. */
const OWNER_FILE = 'data-folder';

/** As whom, from where and in which folder PostgreSQL runs. */
export type Account = {
  native: string;
  /** Where clusters are kept: DATA_DIR itself unless the account can't reach it. */
  home: string;
  identity?: { uid: number; gid: number };
  wrapper?: string[];
  /** Who must own the files of the cluster; undefined: whoever made them. */
  owner?: { uid: number; gid: number };
};

type Candidate = Pick<Account, 'identity' | 'wrapper' | 'owner'>;

export type AccountOptions = {
  dataDir: string;
  log: Logger;
  /** Tests act out systems without user namespaces, and other places for what `nobody` can't reach. */
  unshare?: string | null;
  reachable?: string;
};

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it as itself. Root runs it, in this order:
 * in a user namespace in which root is called nobody (the files stay root's, so that 0700 parents do not matter);
 * as nobody; as nobody with binaries, and if need be data, in a folder that nobody can reach.
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
  // Nobody has to pass through the data folder to its own; it still can't list it, and secrets are 0600.
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
    'PostgreSQL runs as the user nobody, who can not reach the data folder: the database is kept elsewhere',
  );
  return { ...candidate, native: copy, home };
}

/** Makes a folder for the database outside the data folder, which then holds a link to it. */
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

/** Where an earlier start put the database, if outside. A copied data folder links to the original's, which may be running. */
async function linkedHome(dataDir: string): Promise<string | null> {
  const note = join(dataDir, 'postgres');
  const target = await readlink(note).catch(() => null);
  if (target === null) return null;
  const home = dirname(target);
  const owner = await readFile(join(home, OWNER_FILE), 'utf8').catch(() => dataDir);
  if (owner !== dataDir && existsSync(owner)) {
    throw new EmbeddedPostgresError(`${note} links to the database of ${owner}: remove the link to begin anew.`);
  }
  // The folder was moved: the database goes with it.
  if (owner !== dataDir) await writeFile(join(home, OWNER_FILE), dataDir);
  return home;
}

function unreachable(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`it does not run as root, and ${reason}.`, { cause });
}

/** Whether this account may run a file, or enter a folder. */
async function may(candidate: Candidate, path: string): Promise<boolean> {
  return runAs(candidate, '/bin/sh', ['-c', 'test -x "$0"', path]).then(
    () => true,
    () => false,
  );
}

/** Runs a program to its end as this account; rejects unless it ends with 0. */
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

/** Hands a folder over to the account, when another one made it (a start as nobody after one in a namespace). */
export async function handOver(folder: string, owner: Account['owner']): Promise<void> {
  if (owner === undefined) return;
  const top = await lstat(folder);
  if (top.uid === owner.uid && top.gid === owner.gid) return;
  for (const entry of await readdir(folder, { recursive: true }))
    await lchown(join(folder, entry), owner.uid, owner.gid);
  await lchown(folder, owner.uid, owner.gid);
}
