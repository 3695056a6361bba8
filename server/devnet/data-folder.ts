import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Node says what fails, and at which path. */
const unusable = (folder: string, cause: unknown): CannotRun =>
  new CannotRun(
    `The data folder ${folder} cannot be used: ${(cause as Error).message}. Set DATA_DIR to another folder.`,
    { cause },
  );

/**
 * Creates the folder of all embedded state and locks it for this process. Two starts on one folder would run two
 * databases on the same files.
 *
 * The lock is SQLite's lock on a file. The kernel releases it when the process ends, even by kill -9, so a stale lock
 * cannot exist.
 *
 * @throws CannotRun if another process holds the lock, or if the folder cannot be created or written
 */
export function openDataFolder(folder: string): DataFolder {
  let path: string;
  let lock: DatabaseSync;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    path = realpathSync(folder);
    lock = new DatabaseSync(privateFile(join(path, 'lock.sqlite')));
  } catch (cause) {
    throw unusable(folder, cause);
  }
  const holder = join(path, 'lock.pid');
  try {
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE',
    );
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw unusable(path, cause);
    throw new CannotRun(
      `Process ${readHolder(holder)} is already running on the data folder ${path}. Stop it, or set DATA_DIR to another folder.`,
    );
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

/** Returns the id of the process that holds the lock, as it wrote it. */
function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '(unknown)';
  }
}
