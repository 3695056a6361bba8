import { inTurns } from './in-turns.ts';
import { createPool, createReadingPools, type PoolOptions } from './pool.ts';
import type { PrimaryLook, ReplicaLook } from './replica-state.ts';
import { sharedAsk } from './shared-ask.ts';
import type { Db, ReadPools, ReplicaStatus } from '../ports/database.ts';

/** Reads the mark in the data by which a replica shows that its data is the primary's. */
export type ReadHeartbeat = (db: Db) => Promise<Date>;

export type ReplicaOptions = Pick<PoolOptions, 'prepare' | 'jitter'> & {
  viewConnections: number;
  searchConnections: number;
  searchTimeoutMs: number;
  heartbeat: ReadHeartbeat;
};

/** 500 ms: shorter than a search waits for its turn. */
const ANSWER_TURNS = 2;
/** Shorter than on the primary, because the primary answers what takes longer. */
const VIEW_TIMEOUT_MS = 2_500;
const UNANSWERED_MS = 2_000;
/** A read waits this often for a position that the replica has not replayed, for 5 ms and 10 ms. */
const WAITS = [5, 10];
/** After a read that found the replica behind, reads go to the primary for this long. */
const REST_MS = 250;

/** One replica, watched by `createReplicas`. */
export type Replica = {
  status(): ReplicaStatus;
  isUsable(): boolean;
  /** Asks the replica where it is. Never rejects. */
  look(): Promise<{ at: number; look: ReplicaLook | null }>;
  /**
   * Takes the judgment of the newest look. Opens the pools of a good replica, and closes those of one that must not be
   * read. Returns whether its state has changed.
   */
  judged(judgment: Omit<ReplicaStatus, 'name'>): boolean;
  /** Returns whether the replica has replayed the position, now or within a moment. */
  hasReplayed(position: number): Promise<boolean>;
  pools(): ReadPools | null;
  /** Changes whenever a connection closes: the server may have restarted with less than it had replayed. */
  closings(): number;
  rest(): void;
  end(): Promise<void>;
};

/** Connects to a replica. Its name in metrics and logs is its host and port. */
export function createReplica(url: URL, { heartbeat, ...options }: ReplicaOptions): Replica {
  let closings = 0;
  let replayed = -1;
  // A restarted server may have replayed less than before.
  const onclose = () => {
    closings += 1;
    replayed = -1;
  };
  const shared = { ...options, url: url.href, onclose };
  const probe = createPool({ ...shared, connections: 1, unanswered: { limitMs: UNANSWERED_MS } });
  let pools: ReadPools | null = null;
  let status: ReplicaStatus = { name: url.host, state: 'unconfirmed', lagMs: 0 };
  let restsUntil = 0;
  const readPosition = async () => {
    const [row] = await probe<{ inRecovery: boolean; position: number | null }[]>`
      select pg_is_in_recovery() as "inRecovery",
        pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position`;
    if (!row) throw new Error('the replica named no position');
    return row;
  };
  const askPosition = sharedAsk(() => inTurns(readPosition(), ANSWER_TURNS));
  const closePools = async () => {
    const closing = Object.values(pools ?? {});
    pools = null;
    await Promise.all(closing.map((pool) => pool.end({ timeout: 0 })));
  };
  return {
    status: () => status,
    isUsable: () => status.state === 'good' && pools !== null && performance.now() >= restsUntil,
    async look() {
      const at = performance.now();
      const whole = async (): Promise<ReplicaLook> => {
        const position = await readPosition();
        return { ...position, heartbeat: (await heartbeat(probe)).getTime() };
      };
      return { at, look: await inTurns(whole(), ANSWER_TURNS).catch(() => null) };
    },
    judged({ state, lagMs }) {
      const hasChanged = status.state !== state;
      status = { ...status, state, lagMs };
      if (state === 'good') pools ??= openPools({ ...shared, ...options });
      else if (state !== 'lagging' && state !== 'unconfirmed') void closePools();
      if (state !== 'good') replayed = -1;
      return hasChanged;
    },
    async hasReplayed(position) {
      if (replayed >= position) return true;
      for (const wait of [...WAITS, null]) {
        const now = await askPosition();
        if (!now.inRecovery || now.position === null) return false;
        replayed = now.position;
        if (replayed >= position) return true;
        if (wait !== null) await new Promise((resolve) => setTimeout(resolve, wait));
      }
      return false;
    },
    pools: () => pools,
    closings: () => closings,
    rest() {
      restsUntil = performance.now() + REST_MS;
    },
    async end() {
      await Promise.all([closePools(), probe.end({ timeout: 0 })]);
    },
  };
}

function openPools(options: Parameters<typeof createReadingPools>[0]): ReadPools {
  const { views, searches, searchReads } = createReadingPools({ ...options, viewTimeoutMs: VIEW_TIMEOUT_MS });
  return { reads: searchReads, views, searches, searchReads };
}

/** Reads where the primary is: first the heartbeat, so that the WAL up to the position holds it. */
export async function lookAtPrimary(db: Db, heartbeat: ReadHeartbeat): Promise<PrimaryLook> {
  const mark = await heartbeat(db);
  return { at: performance.now(), heartbeat: mark.getTime(), position: await primaryPosition(db) };
}

/** Every commit that a client has heard of lies before this position. */
export async function primaryPosition(db: Db): Promise<number> {
  const [row] = await db<{ position: number }[]>`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position`;
  if (!row) throw new Error('the primary named no position');
  return row.position;
}
