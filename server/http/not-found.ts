import { DomainError } from '../../contract/basics/errors.ts';
import type { Route } from '../serve.ts';

/** An error with the `Allow` header of a path that takes other methods; null for every other error. */
export type Unrouted = { error: DomainError; allow: string | null };

/**
 * Returns a function that says why no route took a request: the path takes other methods (405), its last parameter is
 * empty (400), or there is no such path (404).
 */
export function createNotFound(routes: Route[], prefix: string): (method: string, path: string) => Unrouted {
  const known = routes.map(({ spec }) => ({
    method: spec.method.toUpperCase(),
    path: new RegExp(`^${prefix}${spec.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    lastParameter: /\{(\w+)\}$/.exec(spec.path)?.[1],
  }));
  return (method, path) => {
    const allowed = new Set(known.filter((route) => route.path.test(path)).map((route) => route.method));
    if (allowed.size > 0 && !allowed.has(method)) {
      const allow = [...allowed].toSorted().join(', ');
      return {
        error: new DomainError('NOT_FOUND', `This path takes ${allow}, not ${method}.`, { status: 405 }),
        allow,
      };
    }
    const empty = path.endsWith('/') ? known.find((route) => isEmpty(route, method, path)) : undefined;
    if (empty?.lastParameter === undefined)
      return { error: new DomainError('NOT_FOUND', 'No such route.'), allow: null };
    const fault = { field: empty.lastParameter, message: 'required' };
    const message = `Invalid parameter: ${fault.field}: required`;
    return { error: new DomainError('INVALID_PARAMETER', message, { details: [fault] }), allow: null };
  };
}

type KnownRoute = { method: string; path: RegExp; lastParameter: string | undefined };

function isEmpty({ method, path, lastParameter }: KnownRoute, given: string, at: string): boolean {
  return lastParameter !== undefined && method === given && path.test(`${at}x`);
}
