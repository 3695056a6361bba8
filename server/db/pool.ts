import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type QueryResult, types } from 'pg';
import { parseDatabaseUrl } from '../settings/public.ts';
import { isTracing, traced } from '../tracing.ts';
import type { Db, Queryable, Row, TransactionOptions, Tx } from './database.ts';
import { ConnectionLost, DatabaseError, isLost, isRefusedBehind, isStale, NoConnection } from './errors.ts';
import { type Compiled, createTag, type Result } from './statement.ts';

type PoolOptions = {
  url: string;
  connections: number;
  /** False sends every statement without preparing it, for poolers that cannot hold prepared statements. Default: true. */
  prepare?: boolean;
  /** PostgreSQL refuses every write, and ends each statement after this time. */
  readOnlyForMs?: number;
  /** A connection that has not answered a statement after this time is closed. Default: never. */
  answerMs?: number;
};

/** The part of a statement that a trace shows. */
const SHOWN_TEXT = 1_000;
/** An unreachable or busy database fails a request in time; no request waits longer for a connection. */
const CONNECT_MS = 5_000;
/** How much longer than PostgreSQL a client waits for the end of a statement. */
const MARGIN_MS = 2_000;
/** The limit of the role (`time-limits.ts`) is 10 s. */
const STATEMENT_MS = 10_000;
/** A read that takes longer fails. */
const READ_MS = 8_000;
/** PostgreSQL's warning that no synchronous standby has confirmed a commit. Its outcome is unknown. */
const UNCONFIRMED = 'SyncRepWaitForLSN';

// The driver's own parsers are for all pools. The numbers are the object ids of int8, int8[], date, and timestamptz.
const int8Texts = types.getTypeParser(1016 as number) as (text: string) => (string | null)[];
types.setTypeParser(20, safeInteger);
types.setTypeParser(1016 as number, (text) =>
  int8Texts(text).map((item) => (item === null ? null : safeInteger(item))),
);
for (const time of [1082, 1184]) types.setTypeParser(time, (text) => new Date(text));

/** Microdollars stay below 2^53; a larger value throws instead of being rounded. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a database integer is beyond the safe range');
  return value;
}

/** The pool of what writes, and of what writes follow from: keys, limits, quotes. */
export const createMainPool = (options: PoolOptions): Db =>
  createPool({ ...options, answerMs: STATEMENT_MS + MARGIN_MS });

/** A pool of lists, searches, and pages. PostgreSQL refuses every write on it. */
export const createReadPool = (options: PoolOptions): Db =>
  createPool({ ...options, readOnlyForMs: READ_MS, answerMs: READ_MS + MARGIN_MS });

type Client = PoolClient & {
  /** It is lost, or its server goes down: it serves no other statement. */
  isLost?: boolean;
  unconfirmed?: unknown;
};
type Run = (statement: Compiled) => Promise<QueryResult<Row>>;

/**
 * Creates a connection pool; no other code does. The role holds the time limits of statements (`time-limits.ts`), because a
 * pooler in transaction mode drops what a session sets. Only the statements of one transaction, or of one `together`, share a
 * connection at a time, and so a round trip.
 */
export function createPool(options: PoolOptions): Db {
  const { connections, prepare = true } = options;
  const sockets = new Set<Socket>();
  const pool = openPool(options, sockets);
  const waiting = new Set<{ since: number }>();
  let held = 0;
  let ended: Promise<void> | null = null;

  /** @throws NoConnection or ConnectionLost after 5 s */
  async function take(): Promise<Client> {
    const own = { since: performance.now() };
    waiting.add(own);
    try {
      return await pool.connect();
    } catch (error) {
      // The words of the pool's queue; a server that does not answer has others.
      throw /timeout exceeded when/.test(String(error)) ? new NoConnection() : new ConnectionLost(error);
    } finally {
      waiting.delete(own);
    }
  }

  /** Gives the work a connection of its own. */
  async function withClient<T>(work: (run: Run, client: Client) => Promise<T>, answerMs?: number): Promise<T> {
    const client = await take();
    held += 1;
    try {
      const result = await work((statement) => send(client, statement, { prepare, answerMs }), client);
      // No synchronous standby has confirmed a commit: its outcome is unknown.
      if (client.unconfirmed) throw new ConnectionLost(client.unconfirmed);
      return result;
    } finally {
      held -= 1;
      client.release(client.isLost === true || client.unconfirmed !== undefined);
    }
  }

  const sendAlone = (statement: Compiled) => withClient((run) => sendOutside(run, statement));

  return Object.assign(createTag(sendAlone), {
    connections,
    together: <T>(work: (db: Queryable) => Promise<T>) =>
      withClient(async (run) => {
        const lent = lend(run);
        return await work(createTag((statement) => sendOutside(lent.run, statement))).finally(lent.end);
      }),
    begin: <T>(work: (tx: Tx) => Promise<T>, { mode = '', statementMs }: TransactionOptions = {}) =>
      withClient(
        (run, client) => transact({ run, client }, work, { mode, statementMs }),
        statementMs === undefined ? undefined : statementMs + MARGIN_MS,
      ),
    waitedMs() {
      const [oldest] = waiting;
      return oldest && held >= connections ? performance.now() - oldest.since : 0;
    },
    async end({ timeout = 5 }: { timeout?: number } = {}) {
      ended ??= pool.end();
      await Promise.race([ended, sleep(timeout * 1_000, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  });
}

function openPool({ url, connections, readOnlyForMs, answerMs }: PoolOptions, sockets: Set<Socket>): Pool {
  const { client: address, options } = parseDatabaseUrl(url);
  const readOnly = `-c default_transaction_read_only=on -c statement_timeout=${readOnlyForMs}`;
  const pool = new Pool({
    ...address,
    options: [options, readOnlyForMs === undefined ? '' : readOnly].join(' ').trim(),
    pipeline: true,
    max: connections,
    maxLifetimeSeconds: 3_600,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 300_000,
    query_timeout: answerMs,
    // Finds an idle connection that died silently within about 20 s.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
  });
  // A lost connection fails its statements. Without a statement, the pool just forgets it.
  pool.on('error', () => {});
  pool.on('connect', (client: Client) => {
    client.on('error', () => {});
    client.on('notice', (notice) => {
      if ('routine' in notice && notice.routine === UNCONFIRMED) client.unconfirmed = notice;
    });
  });
  return pool;
}

type SendOptions = {
  prepare: boolean;
  /** For this statement, in place of the limit of the pool. */
  answerMs: number | undefined;
};

async function send(
  client: Client,
  statement: Compiled,
  { prepare, answerMs }: SendOptions,
): Promise<QueryResult<Row>> {
  const { name: _, ...unprepared } = statement;
  const query = {
    ...(prepare ? statement : unprepared),
    ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
  };
  const sent = async () => {
    sendTogether(client);
    // Several statements in one text have a result each.
    const result = [await client.query<Row>(query)].flat().at(-1);
    if (!result) throw new RangeError('a text without a statement');
    return result;
  };
  try {
    if (!isTracing()) return await sent();
    // Parameters hold secrets; the text never does.
    const text = statement.text.trim().replaceAll(/\s+/g, ' ');
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, SHOWN_TEXT) };
    return await traced(`SQL ${text.split(' ', 1)[0]}`, { kind: 'client', attributes }, sent);
  } catch (error) {
    const known = error instanceof DatabaseError || error instanceof RangeError ? error : new ConnectionLost(error);
    client.isLost ||= isLost(known);
    throw known;
  }
}

/** Lets all statements that one turn sends leave in one write, because each write takes a system call and wakes the server. */
function sendTogether({ connection: { stream } }: Client): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Sends a statement outside of a transaction. After a migration, its prepared form may return other columns than before. */
async function sendOutside(run: Run, statement: Compiled): Promise<Result> {
  try {
    return rowsOf(await run(statement));
  } catch (error) {
    const { name, ...unprepared } = statement;
    if (name === undefined || !isStale(error)) throw error;
    return rowsOf(await run(unprepared));
  }
}

/** Lends a connection until `end`. A later statement would run in the transaction of somebody else. */
function lend(run: Run): { run: Run; end: () => void } {
  let isOver = false;
  return {
    run: (statement) =>
      isOver ? Promise.reject(new Error('a statement after the end of its transaction or loan')) : run(statement),
    end() {
      isOver = true;
    },
  };
}

async function transact<T>(
  { run, client }: { run: Run; client: Client },
  work: (tx: Tx) => Promise<T>,
  { mode, statementMs }: { mode: string; statementMs: number | undefined },
): Promise<T> {
  const lent = lend(run);
  let failure: Error | null = null;
  const tag = createTag(async (statement) => {
    try {
      return rowsOf(await lent.run(statement));
    } catch (error) {
      failure ??= error as Error;
      throw error;
    }
  });
  try {
    // Awaited: if it failed, the statements behind it would run outside of a transaction.
    await run({ text: `begin ${mode}` });
    if (statementMs !== undefined) await run({ text: `set local statement_timeout = ${statementMs}` });
    const result = await work(Object.assign(tag, { isTransaction: true as const }));
    // Before the commit is sent: a later statement would follow it.
    lent.end();
    const { command } = await run({ text: 'commit' });
    // PostgreSQL rolls back after a statement that failed, also when nobody threw its error.
    if (command !== 'COMMIT') throw failure ?? new Error('PostgreSQL rolled the transaction back');
    return result;
  } catch (error) {
    lent.end();
    if (!client.isLost) await run({ text: 'rollback' }).catch(() => {});
    // Those behind the failed statement are refused, and the work may hear of one of them first.
    throw failure && isRefusedBehind(error) ? failure : error;
  }
}

function rowsOf({ rows, rowCount }: QueryResult<Row>): Result {
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as unknown as Result;
}
