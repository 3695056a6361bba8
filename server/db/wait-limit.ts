import type { Db } from '../ports/database.ts';

const TURN_MS = 250;
/** The limit of 5 s, in turns. */
const TURNS = 20;

/** The statement got no connection in time. It was not sent, and never will be. */
export class NoConnection extends Error {
  readonly code = 'NO_CONNECTION';

  constructor() {
    super('no connection to the database was free for 5 s');
    this.name = 'NoConnection';
  }
}

/** A statement of the driver. The start of a transaction is one, too. */
type QueuedStatement = { readonly state: object | null; reject(error: Error): void };

/**
 * Rejects each statement of a pool that has waited 5 s for a connection, and takes it out of the queue. So nothing that was
 * answered with an error runs later.
 *
 * Time counts in turns of a timer: while the process is too busy to read the answers that would free a connection, no
 * turn passes.
 */
export function limitConnectionWait({ options }: Db, turnMs = TURN_MS): void {
  const all = new Map<QueuedStatement, { turns: number; leave: () => unknown }>();
  let timer: NodeJS.Timeout | null = null;
  const turn = () => {
    for (const [statement, waiting] of all) {
      waiting.turns += 1;
      const hasConnection = statement.state !== null;
      if (!hasConnection && waiting.turns < TURNS) continue;
      all.delete(statement);
      if (!hasConnection && waiting.leave() !== null) statement.reject(new NoConnection());
    }
    if (all.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  const queued = (statement: QueuedStatement, leave: () => unknown) => {
    all.set(statement, { turns: 0, leave });
    timer ??= setInterval(turn, turnMs).unref();
  };
  // The driver reads it when a statement finds no connection (patches/README.md).
  Object.assign(options, { queued });
}
