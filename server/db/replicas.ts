import { DomainError } from '../../contract/basics/errors.ts';
import type { Db, ReadPools, Replicas, ReplicaStatus } from '../ports/database.ts';
import { inTurns } from './in-turns.ts';
import { createReplica, lookAtPrimary, primaryPosition, type Replica, type ReplicaOptions } from './replica.ts';
import { judge, type PrimaryLook, remember } from './replica-state.ts';
import { sharedAsk } from './shared-ask.ts';

const LOOK_EVERY_MS = 250;
/** 1 s. */
const LOOK_TURNS = 4;

export type ReplicasOptions = ReplicaOptions & {
  urls: readonly URL[];
  /** A pool of the primary. */
  primary: Db;
  /** Called when the state of a replica changes. */
  onChange?: (status: ReplicaStatus) => void;
};

/**
 * Reads on replicas of the primary. A read runs on a replica only if the replica has replayed everything that was committed
 * before the read was asked for. So each caller, on any process, reads what was written before, caches hold nothing older than
 * they would from the primary, and a page's horizon fits its rows.
 *
 * Four times a second, each replica is compared with the primary. Reads of a replica that is away, lags by more than 1 s, or
 * was promoted go to the primary. So does a read that fails on a replica, or finds nothing there.
 */
export function createReplicas({ urls, primary, onChange = () => {}, ...options }: ReplicasOptions): Replicas {
  const replicas = urls.map((url) => createReplica(url, options));
  const counts = { replica: 0, primary: 0 };
  const fallbacks = { unavailable: 0, behind: 0, failed: 0 };
  let looks: PrimaryLook[] = [];
  let turn = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;

  async function lookAtAll(): Promise<void> {
    const found = await Promise.all(replicas.map(async (replica) => ({ replica, ...(await replica.look()) })));
    const look = await inTurns(lookAtPrimary(primary, options.heartbeat), LOOK_TURNS).catch(() => null);
    if (stopped) return;
    looks = look === null ? [] : remember(looks, look);
    for (const { replica, at, look: known } of found)
      if (replica.judged(judge(known, looks, at))) onChange(replica.status());
    timer = setTimeout(() => void lookAtAll(), LOOK_EVERY_MS).unref();
  }
  void lookAtAll();

  const askPrimary = sharedAsk(() => primaryPosition(primary));

  /** Returns null when the primary has to answer. */
  async function onReplica<T>(replica: Replica, read: (pools: ReadPools) => Promise<T>): Promise<{ value: T } | null> {
    const closings = replica.closings();
    const pools = replica.pools();
    if (!pools || !(await replica.hasReplayed(await askPrimary()))) {
      replica.rest();
      fallbacks.behind += 1;
      return null;
    }
    const value = await read(pools);
    if (replica.closings() === closings) return { value };
    fallbacks.failed += 1;
    return null;
  }

  return {
    async read(read, readPrimary) {
      const usable = replicas.filter((replica) => replica.isUsable());
      const replica = usable[(turn += 1) % Math.max(1, usable.length)];
      if (!replica) fallbacks.unavailable += 1;
      else
        try {
          const done = await onReplica(replica, read);
          if (done) {
            counts.replica += 1;
            return done.value;
          }
        } catch (error) {
          if (isAnswer(error)) {
            counts.replica += 1;
            throw error;
          }
          if (!(error instanceof DomainError)) replica.rest();
          fallbacks.failed += 1;
        }
      counts.primary += 1;
      return await readPrimary();
    },
    status: () => replicas.map((replica) => replica.status()),
    reads: () => ({ ...counts }),
    fallbacks: () => ({ ...fallbacks }),
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await Promise.all(replicas.map((replica) => replica.end()));
    },
  };
}

/**
 * Returns whether a verb refused the request, so that the primary would too. A row that is not found is asked of the primary,
 * and so is a search whose statement PostgreSQL ended: on a replica, the replay of the WAL ends statements.
 */
function isAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.status !== 404 && error.cause === undefined;
}
