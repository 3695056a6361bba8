import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import type { Row } from './database.ts';
import { parseDatabaseUrl } from '../settings/public.ts';
import { isTracing, traced } from '../tracing.ts';
import { ConnectionLost, DatabaseError, isLost, NoConnection, UNCONFIRMED } from './errors.ts';
import type { Compiled } from './statement.ts';
import { types } from './types.ts';

export type PoolOptions = {
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

export type Client = PoolClient & { unconfirmed?: unknown };

/** The connections of a pool. Who takes one has it to itself, until it gives it back. */
export class Connections {
  readonly max: number;
  readonly #pool: Pool;
  readonly #prepare: boolean;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<{ since: number }>();
  #held = 0;
  #ended: Promise<void> | null = null;

  constructor({ connections, prepare = true, ...options }: PoolOptions) {
    this.max = connections;
    this.#prepare = prepare;
    this.#pool = new Pool({ ...clientOptions(options, this.#sockets), max: connections, maxLifetimeSeconds: 3_600 });
    // A lost connection fails its statements. Without a statement, the pool just forgets it.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client: Client) => {
      client.on('error', () => {});
      client.on('notice', (notice) => {
        if ('routine' in notice && notice.routine === UNCONFIRMED) client.unconfirmed = notice;
      });
    });
  }

  /** @throws NoConnection or ConnectionLost after 5 s */
  async take(): Promise<Client> {
    const own = { since: performance.now() };
    this.#waiting.add(own);
    try {
      const client = await this.#pool.connect();
      this.#held += 1;
      return client;
    } catch (error) {
      // The words of the pool's queue; a server that does not answer has others.
      throw /timeout exceeded when/.test(String(error)) ? new NoConnection() : new ConnectionLost(error);
    } finally {
      this.#waiting.delete(own);
    }
  }

  /** A lost connection never serves another statement. */
  give(client: Client, failure: unknown): void {
    this.#held -= 1;
    client.release(failure !== null && isLost(failure));
  }

  /** @param answerMs for this statement, in place of the limit of the pool */
  async run(client: Client, statement: Compiled, answerMs?: number): Promise<QueryResult<Row>> {
    if (!isTracing()) return await this.#run(client, statement, answerMs);
    // Parameters hold secrets; the text never does.
    const text = statement.text.trim().replaceAll(/\s+/g, ' ');
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, SHOWN_TEXT) };
    const name = `SQL ${text.split(' ', 1)[0]}`;
    return await traced(name, { kind: 'client', attributes }, () => this.#run(client, statement, answerMs));
  }

  async #run(client: Client, { text, values, name }: Compiled, answerMs?: number): Promise<QueryResult<Row>> {
    const query = {
      text,
      ...(values ? { values } : {}),
      ...(this.#prepare && name ? { name } : {}),
      ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
    };
    try {
      // Several statements in one text have a result each.
      const result = [await client.query<Row>(query)].flat().at(-1);
      if (!result) throw new RangeError('a text without a statement');
      return result;
    } catch (error) {
      throw error instanceof DatabaseError || error instanceof RangeError ? error : new ConnectionLost(error);
    }
  }

  waitedMs(): number {
    const [oldest] = this.#waiting;
    return oldest && this.#held >= this.max ? performance.now() - oldest.since : 0;
  }

  async end(timeoutMs: number): Promise<void> {
    this.#ended ??= this.#pool.end();
    await Promise.race([this.#ended, sleep(timeoutMs, undefined, { ref: false })]);
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** @throws ConnectionLost when no synchronous standby has confirmed a commit: its outcome is unknown */
export function requireConfirmed(client: Client): void {
  if (client.unconfirmed) throw new ConnectionLost(client.unconfirmed);
}

type ClientOptions = Pick<PoolOptions, 'url' | 'readOnlyForMs' | 'answerMs'>;

function clientOptions({ url, readOnlyForMs, answerMs }: ClientOptions, sockets: Set<Socket>): PoolConfig {
  const { client, options } = parseDatabaseUrl(url);
  const readOnly = `-c default_transaction_read_only=on -c statement_timeout=${readOnlyForMs}`;
  return {
    ...client,
    options: [options, readOnlyForMs === undefined ? '' : readOnly].join(' ').trim(),
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 300_000,
    query_timeout: answerMs,
    // Finds an idle connection that died silently within about 20 s.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
  };
}
