import type { Db } from '../../../server/ports/database.ts';

/** A database that fails at every statement while there is a fault. */
export function failingDatabase(db: Db, fault: () => Error | null): Db {
  // A fragment of a statement is never awaited: its failure is nobody's.
  const failed = (): Promise<never> => {
    const failure = Promise.reject(fault()!);
    failure.catch(() => {});
    return failure;
  };
  return new Proxy(db, {
    apply: (target, self, args) => (fault() && 'raw' in args[0] ? failed() : Reflect.apply(target, self, args)),
    get: (target, name) =>
      fault() && ['begin', 'reserve', 'unsafe'].includes(name as string)
        ? failed
        : (Reflect.get(target, name) as unknown),
  });
}
