import type { Env, Hono } from 'hono';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Route } from '../serve.ts';

/** An error with the `Allow` header of a path that takes other methods; null for every other error. */
export type Unrouted = { error: DomainError; allow: string | null };

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/**
 * Returns a function that says why no route took a request: the path takes other methods (405), the last parameter of an
 * operation is empty (400), or there is no such path (404).
 */
export function createNotFound<E extends Env>(
  apps: Hono<E>[],
  routes: Route[],
  prefix: string,
): (method: string, path: string) => Unrouted {
  // The console looks at every path that nothing else takes. The storage tells no stranger which paths it has.
  const takes = (method: string, path: string) =>
    apps.some((app) =>
      app.router.match(method, path)[0].some(([[, route]]) => !['/*', '/storage/*'].includes(route.path)),
    );
  const known = routes.map(({ spec }) => ({
    method: spec.method.toUpperCase(),
    path: new RegExp(`^${prefix}${spec.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    lastParameter: /\{(\w+)\}$/.exec(spec.path)?.[1],
  }));
  return (method, path) => {
    const allowed = METHODS.filter((each) => takes(each, path));
    // The router gives HEAD to the routes of GET.
    if (allowed.length > 0 && !allowed.includes(method === 'HEAD' ? 'GET' : method)) {
      const allow = allowed.join(', ');
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
