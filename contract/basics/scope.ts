/** The scopes of an agent's key, from the least to the most. Each scope includes the ones before it. */
export const keyScopes = ['read', 'enter', 'owner'] as const;
/** One of the scopes. */
export type KeyScope = (typeof keyScopes)[number];

/**
 * Returns the scope that an agent's key needs for the operation. Reads need `read`. An operation that changes something
 * and names no scope needs `owner`, so that a forgotten decision never opens it to lesser keys.
 */
export function scopeOf({ scope, method }: { scope?: KeyScope; method: string }): KeyScope {
  return scope ?? (method === 'get' ? 'read' : 'owner');
}

/** Returns whether a key of the scope `held` may do what needs the scope `needed`. */
export function covers(held: KeyScope, needed: KeyScope): boolean {
  return keyScopes.indexOf(held) >= keyScopes.indexOf(needed);
}
