import type { Db } from '../../server/ports/database.ts';

/** Wraps a database so that every statement fails while `fault` returns an error. */
export function failingDatabase(db: Db, fault: () => Error | null): Db {
  // No code awaits a fragment of a statement, so nothing would handle its rejection.
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
