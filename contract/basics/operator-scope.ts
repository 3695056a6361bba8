/**
 * The scopes of an operator's key. `read` sees everything; `support` restricts accounts, decides disputes, and holds
 * payouts; `money` pays out, or decides who is paid; `admin` manages operators and the addresses of withdrawals.
 */
export const operatorScopes = ['read', 'support', 'money', 'admin'] as const;
/** One of the scopes. */
export type OperatorScope = (typeof operatorScopes)[number];

/** Returns whether a key with the scopes `held` may do what needs the scope `needed`. Every scope includes `read`. */
export function holdsScope(held: readonly OperatorScope[], needed: OperatorScope): boolean {
  return needed === 'read' ? held.length > 0 : held.includes(needed);
}

/** Returns whether an act of this scope needs a code of an operator who enrolled for codes. */
export function needsCode(scope: OperatorScope): boolean {
  return scope === 'money' || scope === 'admin';
}
