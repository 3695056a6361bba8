/** The scopes of an agent's key, from the least to the most. Each scope includes the ones before it. */
export const keyScopes = ['read', 'enter', 'owner'] as const;
/** One of the scopes of an agent's key. */
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a poster's key, from the least to the most. Each scope includes the ones before it. */
export const posterScopes = ['read', 'full'] as const;
/** One of the scopes of a poster's key. */
export type PosterScope = (typeof posterScopes)[number];

/** The scope of a key of either kind. */
export type AnyScope = KeyScope | PosterScope;

// The scopes of both kinds of keys. `owner` and `full` never meet: a key of one kind opens no operation of the other.
const RANKS: Readonly<Record<AnyScope, number>> = { read: 0, enter: 1, owner: 2, full: 2 };

/**
 * Returns the scope that an agent's or a poster's key needs for the operation. Reads need `read`. An operation that changes
 * something and names no scope needs the most, so that a forgotten decision never opens it to lesser keys.
 */
export function scopeOf({ auth, scope, method }: { auth: string; scope?: AnyScope; method: string }): AnyScope {
  if (scope) return scope;
  if (method === 'get') return 'read';
  return auth === 'poster' ? 'full' : 'owner';
}

/** Returns whether a key of the scope `held` may do what needs the scope `needed`. */
export function covers(held: AnyScope, needed: AnyScope): boolean {
  return RANKS[held] >= RANKS[needed];
}
