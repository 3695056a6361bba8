import type { Db } from '../ports/database.ts';

const TURN_MS = 250;
/** After this many turns without an answer, and again after as many, the server is asked about the statement. */
const ASK_TURNS = 10;

/** A connection of the driver, which calls the functions of `ConnectionWatch` (patches/README.md). */
export type WatchedConnection = {
  /** The server process of the connection. */
  pid(): number;
  /** Closes the connection; its statements fail as with any lost connection. */
  close(): void;
};

type ConnectionWatch = {
  /** A statement was sent. */
  asked(): void;
  /** Bytes arrived. */
  heard(): void;
  /** Every statement has its answer, or the connection is closed. */
  ended(): void;
};

export type SilentConnectionLimit = {
  /** A connection that has sent nothing for this long is closed. Longer than a statement of the pool may take. */
  limitMs: number;
  /** Returns those of the server processes that still work on a statement. Left out where the ids belong to a pooler. */
  working?: (pids: number[]) => Promise<Set<number>>;
  /** The connections of all pools to the same server; each pool adds its own. */
  peers?: Set<Peer>;
  /** Shorter turns for tests. */
  turnMs?: number;
};

/** A connection of a pool; `turns` counts while a statement waits for its answer. */
export type Peer = { connection: WatchedConnection; turns: number; heardAt: number; isWaiting: boolean };

/**
 * Closes connections of a pool whose server does not answer a statement: after a failover, packets to the old address
 * can vanish without an error, and TCP alone would wait for minutes. A statement may also be slow, so after 2.5 s of
 * silence the server is asked, on another connection, whether it works on the statement. If it does not, the connection
 * is closed; the outcome of its statement is unknown then, as with any lost connection. Idle connections that heard
 * nothing meanwhile are closed with it: otherwise a request would wait for each that it meets.
 *
 * Time counts in turns of a timer: while the process is too busy to read answers, no turn passes.
 */
export function closeSilentConnections(
  { options }: Db,
  { limitMs, working, peers = new Set(), turnMs = TURN_MS }: SilentConnectionLimit,
): void {
  const all = new Set<Peer>();
  let timer: NodeJS.Timeout | null = null;
  const turn = () => {
    if (all.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
    for (const waiting of all) waiting.turns += 1;
    for (const { connection, turns } of all) if (turns * turnMs >= limitMs) connection.close();
    const doubtful = [...all].filter(({ turns }) => turns % ASK_TURNS === 0 && turns > 0);
    if (working && doubtful.length > 0) void closeForgotten(doubtful, working);
  };
  const watch = (connection: WatchedConnection): ConnectionWatch => {
    const own: Peer = { connection, turns: 0, heardAt: performance.now(), isWaiting: false };
    peers.add(own);
    return {
      asked() {
        if (!own.isWaiting) own.turns = 0;
        own.isWaiting = true;
        all.add(own);
        timer ??= setInterval(turn, turnMs).unref();
      },
      heard() {
        own.turns = 0;
        own.heardAt = performance.now();
      },
      ended() {
        own.isWaiting = false;
        all.delete(own);
      },
    };
  };
  // The driver reads it when a connection opens.
  Object.assign(options, { watch });

  /** Closes those whose server works on nothing, unless an answer arrives meanwhile. */
  async function closeForgotten(doubtful: Peer[], ask: NonNullable<SilentConnectionLimit['working']>): Promise<void> {
    const pids = new Map(doubtful.map((waiting) => [waiting, waiting.connection.pid()]));
    const found = await ask([...pids.values()]).catch(() => null);
    if (found === null) return;
    // An answer may be on its way while the server no longer works.
    await new Promise((resolve) => setTimeout(resolve, 2 * turnMs).unref());
    const forgotten = [...pids].filter(
      ([{ connection, turns, isWaiting }, pid]) =>
        isWaiting && turns >= ASK_TURNS && connection.pid() === pid && !found.has(pid),
    );
    if (forgotten.length === 0) return;
    for (const [{ connection }] of forgotten) connection.close();
    const since = performance.now() - ASK_TURNS * turnMs;
    for (const { connection, isWaiting, heardAt } of peers) if (!isWaiting && heardAt <= since) connection.close();
  }
}
