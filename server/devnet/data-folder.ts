import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotRun } from '../cannot-run.ts';

const SQLITE_BUSY = 5;

/** Keeps the connections alive: a collected connection would release its lock. */
const held = new Set<DatabaseSync>();

export type DataFolder = {
  /** The real, absolute path. */
  path: string;
  /** Returns the folder of one part, created with mode 0700 when missing. */
  folder(name: string): string;
  /** Releases the lock. The operating system does so when this process ends in any other way. */
  release(): void;
};

/** Another process holds the lock of the data folder. */
class DataFolderBusy extends CannotRun {
  readonly folder: string;
  readonly holderPid: number | null;
  constructor(folder: string, holderPid: number | null) {
    const holder = holderPid === null ? 'Another process' : `Process ${holderPid}`;
    super(`${holder} is already running on the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`);
    this.name = 'DataFolderBusy';
    this.folder = folder;
    this.holderPid = holderPid;
  }
}

/** The data folder cannot be created or written. */
export class DataFolderUnusable extends CannotRun {
  constructor(folder: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EACCES: `this user may not write there${owner(folder)}`,
      EPERM: `this user may not write there${owner(folder)}`,
      EROFS: 'the file system is read-only',
      ENOTDIR: 'a part of the path is a file',
      EEXIST: 'there is a file of that name',
      ENOSPC: 'the disk is full',
    };
    super(
      `The data folder ${folder} cannot be used: ${reasons[code ?? ''] ?? message}. Set DATA_DIR to another folder.`,
      { cause },
    );
    this.name = 'DataFolderUnusable';
  }
}

/** Returns the owner of the nearest existing part of the path. */
function owner(folder: string): string {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return ` (${path} belongs to uid ${statSync(path).uid})`;
    } catch {
      if (path === dirname(path)) return '';
    }
  }
}

/**
 * Creates the folder of all embedded state and locks it for this process. Two starts on one folder would run two
 * databases on the same files.
 *
 * The lock is SQLite's lock on a file. The kernel releases it when the process ends, even by kill -9, so a stale lock
 * cannot exist.
 *
 * @throws DataFolderBusy, DataFolderUnusable
 */
export function openDataFolder(folder: string): DataFolder {
  let path: string;
  let lock: DatabaseSync;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    path = realpathSync(folder);
    lock = new DatabaseSync(privateFile(join(path, 'lock.sqlite')));
  } catch (cause) {
    throw new DataFolderUnusable(folder, cause);
  }
  const holder = join(path, 'lock.pid');
  try {
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE',
    );
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) throw new DataFolderBusy(path, readPid(holder));
    throw new DataFolderUnusable(path, cause);
  }
  held.add(lock);
  writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  return {
    path,
    folder(name) {
      const part = join(path, name);
      mkdirSync(part, { recursive: true, mode: 0o700 });
      return part;
    },
    release() {
      rmSync(holder, { force: true });
      lock.close();
      held.delete(lock);
    },
  };
}

/**
 * Creates a file that only its owner can read, and so lock. Closing an existing file would drop this process's own
 * lock.
 */
function privateFile(path: string): string {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  return path;
}

function readPid(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
