import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { userInfo } from 'node:os';
import { actorOf, type CommandCaller } from '../audit/public.ts';
import { blameSetting, CannotRun } from '../cannot-run.ts';
import { networks } from '../chain/public.ts';
import { readSettings } from '../config.ts';
import { createPool } from '../db/pool.ts';
import { requirePrepared } from '../db/prepare.ts';
import type { Deps } from '../deps.ts';

export type CommandDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'randomBytes' | 'network'>;

/** The person at the command line, for the audit trail. */
export const commandCaller = (): CommandCaller => ({ kind: 'command', user: userInfo().username });
export const commandActor = () => actorOf(commandCaller());

/** Runs the work of a command on the database of DATABASE_URL. */
export async function withDatabase(work: (deps: CommandDeps) => Promise<void>): Promise<void> {
  const { DATABASE_URL: url, NETWORK: network } = readSettings(['DATABASE_URL', 'NETWORK']);
  if (!url) throw new CannotRun('DATABASE_URL: missing. A development start keeps its database to itself.');
  await blameSetting('DATABASE_URL', requirePrepared(url));
  const db = createPool({ url, connections: 2 });
  try {
    await work({
      db,
      clock: { now: () => new Date() },
      newId: () => randomUUIDv7(),
      randomBytes: (size) => randomBytes(size),
      network: networks[network ?? 'eip155:84532'],
    });
  } finally {
    await db.end({ timeout: 5 });
  }
}
