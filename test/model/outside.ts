import type { Db } from '../../server/db/database.ts';

/** The fate of one call from a process to a dependency. */
export const FATES = ['fails', 'dies before', 'dies after', 'hangs before', 'hangs after'] as const;
export type Fate = (typeof FATES)[number];
/**
 * The number of the affected call, counted from the first call of the command. `fails` also affects all later calls.
 */
export type Trouble = { at: number; fate: Fate } | null;

type Held = { what: string; goOn(): void; fail(): void };

/** A killed process answers nobody. */
const never = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * Places itself between a process and its dependencies: the chain, the facilitator, the storage, the treasury's key,
 * and the database. It kills or delays the process in the middle of its work. It knows when no work is in flight.
 */
export function createOutside() {
  const held: Held[] = [];
  const waits = new Set<AbortController>();
  const gathering = new Set<() => void>();
  let busy = 0;
  let onQuiet: (() => void) | null = null;
  let trouble: Trouble = null;
  let calls = 0;

  const enter = () => void (busy += 1);
  const leave = () => {
    busy -= 1;
    if (busy === 0) onQuiet?.();
  };

  function fateOfNext(canFail: boolean): Fate | null {
    if (!trouble) return null;
    const at = calls;
    calls += 1;
    if (trouble.fate === 'fails') return at >= trouble.at && canFail ? 'fails' : null;
    // A transaction never hangs, because it holds locks. The next call hangs instead.
    if (trouble.fate.startsWith('hangs') && !canFail && at === trouble.at) trouble = { ...trouble, at: at + 1 };
    return at === trouble.at ? trouble.fate : null;
  }

  async function holdUp(what: string, failure: () => Error): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.push({ what, goOn: resolve, fail: () => reject(failure()) });
    leave();
    try {
      await promise;
    } finally {
      enter();
    }
  }

  /** Creates one process. `kill` ends it. */
  function createProcess() {
    let alive = true;
    const mine = new Set<Held>();

    async function call<T>(what: string, work: () => Promise<T>, failure: (() => Error) | null): Promise<T> {
      if (!alive) return await never();
      const fate = fateOfNext(failure !== null);
      if (fate === 'fails' && failure) throw failure();
      if (fate === 'dies before') return die();
      enter();
      const result = await slowly(fate, what, work, failure).finally(leave);
      if (fate === 'dies after') return die();
      return alive ? result : await never();
    }

    async function slowly<T>(
      fate: Fate | null,
      what: string,
      work: () => Promise<T>,
      failure: (() => Error) | null,
    ): Promise<T> {
      if (fate === 'hangs before' && failure) await hold(what, failure);
      const result = await work();
      if (fate === 'hangs after' && failure) await hold(what, failure);
      return result;
    }

    async function hold(what: string, failure: () => Error): Promise<void> {
      const before = held.length;
      const holding = holdUp(what, failure);
      const mineNow = held[before];
      if (mineNow) mine.add(mineNow);
      await holding;
      if (!alive) await never();
    }

    function die<T>(): Promise<T> {
      alive = false;
      onQuiet?.();
      return never();
    }

    return {
      isAlive: () => alive,
      call,
      kill() {
        alive = false;
        for (const one of mine) if (held.includes(one)) held.splice(held.indexOf(one), 1);
      },
      /** Wraps the database for this process. After a kill, the process sends no query and receives no answer. */
      database: (db: Db): Db =>
        new Proxy(db, {
          apply(target, self, args: unknown[]) {
            const query = Reflect.apply(target as unknown as (...all: unknown[]) => unknown, self, args);
            return isTemplate(args[0]) ? watched(query as Promise<unknown>) : query;
          },
          get(target, key) {
            if (key === 'together')
              return (work: Parameters<Db['together']>[0]) => tracked(() => target.together(work));
            if (key !== 'begin') return Reflect.get(target, key) as unknown;
            return (...args: Parameters<Db['begin']>) => call('begin', () => target.begin(...args), null);
          },
        }),
    };

    async function tracked<T>(work: () => Promise<T>): Promise<T> {
      if (!alive) return await never();
      enter();
      const result = await work().finally(leave);
      return alive ? result : await never();
    }

    function watched(query: Promise<unknown>): Promise<unknown> {
      const send = query.then.bind(query);
      const then = (done?: (value: unknown) => unknown, failed?: (error: unknown) => unknown) => {
        if (!alive) return never();
        enter();
        const answered = <V>(next: ((value: V) => unknown) | undefined, otherwise: (value: V) => unknown) => {
          return (value: V) => {
            leave();
            return alive ? (next ?? otherwise)(value) : never();
          };
        };
        return send(
          answered(done, (value) => value),
          answered(failed, (error) => {
            throw error;
          }),
        );
      };
      // eslint-disable-next-line unicorn/no-thenable -- a query is one already: it is sent when somebody asks for its answer
      return Object.defineProperty(query, 'then', { value: then });
    }
  }

  return {
    held,
    createProcess,
    /** Creates a wait that ends when no other work is left. It replaces `AbortSignal.timeout`. */
    timeout(): AbortSignal {
      const wait = new AbortController();
      waits.add(wait);
      return wait.signal;
    },
    /** Waits, inside a call, until nothing else moves. All that wait go on together. */
    async gathered(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      gathering.add(resolve);
      leave();
      await promise;
      enter();
    },
    arm(next: Trouble) {
      trouble = next;
      calls = 0;
    },
    /** Waits until `work` ends and no call is in flight, or until every process is killed or delayed. */
    async quiet(work: Promise<unknown>): Promise<void> {
      const state = { done: false };
      const ended = Promise.withResolvers<void>();
      const end = () => {
        state.done = true;
        onQuiet?.();
      };
      void work.then(end, end);
      let checking = false;
      const check = () => {
        if (checking) return;
        checking = true;
        setImmediate(() =>
          setImmediate(() => {
            checking = false;
            if (busy > 0) return;
            if (gathering.size > 0) {
              for (const goOn of gathering) goOn();
              gathering.clear();
              check();
            } else if (waits.size > 0) {
              for (const wait of waits) wait.abort();
              waits.clear();
              check();
            } else if (state.done || held.length > 0 || isDead()) ended.resolve();
          }),
        );
      };
      onQuiet = check;
      check();
      await ended.promise;
      onQuiet = null;
    },
  };

  function isDead(): boolean {
    return trouble !== null && trouble.fate.startsWith('dies') && calls > trouble.at;
  }
}

export type Outside = ReturnType<typeof createOutside>;
export type Process = ReturnType<Outside['createProcess']>;

function isTemplate(first: unknown): boolean {
  return Array.isArray(first) && 'raw' in first;
}
