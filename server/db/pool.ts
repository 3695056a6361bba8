import type { Db, Row, Tx } from './database.ts';
import { Connections, type PoolOptions, requireConfirmed } from './connections.ts';
import { isLost, isStale } from './errors.ts';
import { type Compiled, createTag, type Result } from './statement.ts';

/** How much longer than PostgreSQL a client waits for the end of a statement. */
const MARGIN_MS = 2_000;

/** Longer than `statement_timeout` of the role (10 s). */
const ANSWER_MS = 12_000;
/** A read that takes longer fails. */
const READ_MS = 8_000;
const READ_ANSWER_MS = 10_000;

/**
 * Creates a connection pool; no other code does. The role holds the time limits of statements (`time-limits.ts`), because a
 * pooler in transaction mode drops what a session sets. A statement outside of a transaction has its connection to itself,
 * so nothing but the statements of one transaction share a round trip.
 */
export function createPool(options: PoolOptions): Db {
  const connections = new Connections(options);
  return Object.assign(
    createTag((statement) => sendAlone(connections, statement)),
    {
      connections: connections.max,
      begin: <T>(work: (tx: Tx) => Promise<T>, mode: TransactionMode = {}) => transact(connections, work, mode),
      waitedMs: () => connections.waitedMs(),
      end: ({ timeout = 5 }: { timeout?: number } = {}) => connections.end(timeout * 1_000),
    },
  );
}

/** The pool of what writes, and of what writes follow from: keys, limits, quotes. */
export const createMainPool = (options: PoolOptions): Db => createPool({ ...options, answerMs: ANSWER_MS });

/** A pool of lists, searches, and pages. PostgreSQL refuses every write on it. */
export const createReadPool = (options: PoolOptions): Db =>
  createPool({ ...options, readOnlyForMs: READ_MS, answerMs: READ_ANSWER_MS });

async function sendAlone(connections: Connections, statement: Compiled): Promise<Result> {
  const client = await connections.take();
  let failure: unknown = null;
  try {
    const result = await connections.run(client, statement);
    requireConfirmed(client);
    return rowsOf(result);
  } catch (error) {
    failure = error;
    if (!statement.name || !isStale(error)) throw error;
  } finally {
    connections.give(client, failure);
  }
  const { name: _, ...unprepared } = statement;
  return await sendAlone(connections, unprepared);
}

type TransactionMode = { mode?: string; statementMs?: number };

async function transact<T>(
  connections: Connections,
  work: (tx: Tx) => Promise<T>,
  { mode = '', statementMs }: TransactionMode,
): Promise<T> {
  const client = await connections.take();
  const run = (statement: Compiled) =>
    connections.run(client, statement, statementMs === undefined ? undefined : statementMs + MARGIN_MS);
  const { tx, close } = createTransaction(run);
  let failure: unknown = null;
  try {
    // Awaited: if it failed, the statements behind it would run outside of a transaction.
    await run({ text: `begin ${mode}` });
    if (statementMs !== undefined) await run({ text: `set local statement_timeout = ${statementMs}` });
    const result = await work(tx);
    // Before the commit is sent: a later statement would follow it.
    close();
    const { command } = await run({ text: 'commit' });
    // PostgreSQL rolls back after a statement that failed, also when nobody threw its error.
    if (command !== 'COMMIT') throw close() ?? new Error('PostgreSQL rolled the transaction back');
    requireConfirmed(client);
    return result;
  } catch (error) {
    // The work may have thrown another error after its connection was lost.
    failure = close() ?? error;
    if (!isLost(failure)) await run({ text: 'rollback' }).catch((lost: unknown) => (failure = lost));
    throw error;
  } finally {
    connections.give(client, failure);
  }
}

type Run = (statement: Compiled) => ReturnType<Connections['run']>;

/** `close` ends the statements of `tx`, and returns the first error among them. */
function createTransaction(run: Run): { tx: Tx; close: () => Error | null } {
  let isOver = false;
  let failure: Error | null = null;
  const tag = createTag(async (statement) => {
    if (isOver) throw new Error('the transaction of this statement is over');
    try {
      return rowsOf(await run(statement));
    } catch (error) {
      failure ??= error as Error;
      throw error;
    }
  });
  const close = () => {
    isOver = true;
    return failure;
  };
  return { tx: Object.assign(tag, { isTransaction: true as const }), close };
}

function rowsOf({ rows, rowCount }: { rows: Row[]; rowCount: number | null }): Result {
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as unknown as Result;
}
