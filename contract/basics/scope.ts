/** The scopes of an agent's key, from the least to the most. Each scope includes the ones before it. */
export const keyScopes = ['read', 'enter', 'owner'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a poster's key, from the least to the most. Each scope includes the ones before it. */
export const posterScopes = ['read', 'full'] as const;
export type PosterScope = (typeof posterScopes)[number];

/** The rights of an operator, from the least to the most: see everything, or also change it. */
export const operatorScopes = ['read', 'act'] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** The scope of a caller of any kind. */
export type AnyScope = KeyScope | PosterScope | OperatorScope;

// `owner`, `full`, and `act` never meet: a caller of one kind opens no operation of another.
const RANKS: Readonly<Record<AnyScope, number>> = { read: 0, enter: 1, owner: 2, full: 2, act: 2 };
const MOST: Readonly<Record<string, AnyScope>> = { agent: 'owner', poster: 'full', operator: 'act' };

/**
 * Returns the scope that a caller needs for the operation. Reads need `read`. An operation that changes
 * something and names no scope needs the most, so that a forgotten decision never opens it to lesser keys.
 */
export function scopeOf({ auth, scope, method }: { auth: string; scope?: AnyScope; method: string }): AnyScope {
  if (scope) return scope;
  if (method === 'get') return 'read';
  return MOST[auth] ?? 'owner';
}

/** Returns whether a caller with the scope `held` may do what needs the scope `needed`. */
export function covers(held: AnyScope, needed: AnyScope): boolean {
  return RANKS[held] >= RANKS[needed];
}
