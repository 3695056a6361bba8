import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BoundChild, spawnBound } from '../../server/devnet/child-process.ts';
import { accepts, until } from '../support/processes/processes.ts';

/** Where the programs of a cluster run: a folder of their own, and an account that may not be root. */
export type ProgramHome = { folder: string; identity?: { uid: number; gid: number } };

/** A part of the cluster that the test kills by SIGKILL and starts again. */
export type Part = {
  kill(): Promise<void>;
  /** Starts it again at the same address. Resolves before it serves. */
  start(): Promise<void>;
};

/** A program that runs until it is killed. It ends with this process, and its output is in a file of the folder. */
export class Program implements Part {
  readonly #home: ProgramHome;
  readonly #name: string;
  readonly #line: [command: string, ...args: string[]];
  #child: BoundChild | null = null;

  constructor(home: ProgramHome, name: string, line: [command: string, ...args: string[]]) {
    this.#home = home;
    this.#name = name;
    this.#line = line;
  }

  async start(): Promise<void> {
    if (this.#child?.running()) return;
    const log = openSync(join(this.#home.folder, `${this.#name}.log`), 'a');
    const [command, ...args] = this.#line;
    const { folder: cwd, identity } = this.#home;
    this.#child = spawnBound(command, args, { cwd, stdio: ['ignore', log, log], ...(identity ? { identity } : {}) });
    closeSync(log);
  }

  async kill(): Promise<void> {
    await this.#child?.end([['SIGKILL', 5_000]]);
  }

  /** Throws the program's output if it has ended. */
  async assertRunning(): Promise<void> {
    if (this.#child?.running()) return;
    const said = await readFile(join(this.#home.folder, `${this.#name}.log`), 'utf8');
    throw new Error(`${this.#name} ended:\n${said.slice(-2_000)}`);
  }
}

export async function untilListening(program: Program, name: string, port: number): Promise<void> {
  await until(`${name} listens`, async () => {
    await program.assertRunning();
    return await accepts(port);
  });
}

const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
/** The programs of a cluster, by the Debian package that has each. */
const PACKAGES = {
  patroni: 'patroni',
  'etcd-server': 'etcd',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
  radosgw: 'radosgw',
};

/** Returns the Debian packages that this machine lacks. */
export function missingPackages(): string[] {
  return Object.entries(PACKAGES).flatMap(([name, program]) =>
    FOLDERS.some((folder) => existsSync(join(folder, program))) ? [] : [name],
  );
}
