import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Postgres from 'postgres';

/**
 * What postgres.js keeps connections and queries in: first in, first out. Its own queue holds a place for whatever has left it
 * until it is empty, and searches all of them at each query (3.4.9). In a pool of which some connection always waits it never
 * is: a query took 219 µs after 250,000 others, and 114 µs among the first; with this queue none takes longer for those
 * before it (`npm run bench -- --only pool`).
 */
export class Queue<Item> {
  readonly #items: Item[];
  /** The last in is the first out. */
  newestFirst = false;

  constructor(initial: readonly Item[] = []) {
    this.#items = [...initial];
  }

  get length(): number {
    return this.#items.length;
  }

  push(item: Item): Item {
    this.#items.push(item);
    return item;
  }

  shift(): Item | undefined {
    return this.newestFirst ? this.#items.pop() : this.#items.shift();
  }

  /** Null when it is not there. */
  remove(item: Item): Item | null {
    const place = this.#items.indexOf(item);
    if (place === -1) return null;
    this.#items.splice(place, 1);
    return item;
  }
}

type MakeConnection = (options: object, queues?: { open?: Queue<unknown> }, ...rest: unknown[]) => object;

/**
 * The driver's CommonJS build, two modules of which are replaced before they are used. Of connections that wait, it takes the
 * one that was used last: its backend has what it needs at hand, where in turn each of nine was asleep and had forgotten. A
 * sender of webhooks delivers a few per cent more.
 */
function loadDriver(): typeof Postgres {
  const load = createRequire(import.meta.url);
  const folder = dirname(load.resolve('postgres'));
  const moduleOf = (name: string) => {
    const path = join(folder, name);
    load(path);
    const place = load.cache[path];
    if (!place) throw new Error(`postgres.js has no ${name} to replace`);
    return place;
  };
  moduleOf('queue.js').exports = <Item>(initial?: readonly Item[]) => new Queue(initial);
  const connections = moduleOf('connection.js');
  const connect = connections.exports as MakeConnection;
  connections.exports = (...[options, queues, ...rest]: Parameters<MakeConnection>) => {
    if (queues?.open) queues.open.newestFirst = true;
    return connect(options, queues, ...rest);
  };
  return load('postgres') as typeof Postgres;
}

/** postgres.js, for everyone in the server: an error is its `PostgresError`, and none of another copy of it. */
export const postgres = loadDriver();
