import type { OperatorScope } from '../../contract/basics/scope.ts';

/** What the identity provider says about a person. */
export type Claims = { sub: string; [claim: string]: unknown };

type Rights = { claim: string; act: readonly string[]; read: readonly string[] };

const NAME_LENGTH = 100;

/** Returns what a person may do; null: nothing. The claim holds one value, or a list. */
export function scopeOfClaims(claims: Claims, { claim, act, read }: Rights): OperatorScope | null {
  const held = [claims[claim]].flat();
  if (act.some((value) => held.includes(value))) return 'act';
  return read.some((value) => held.includes(value)) ? 'read' : null;
}

/**
 * Returns the person's name for the audit trail: the email address, unless it is not verified. Many providers let people change
 * their other names, so such a name comes with the subject, and is never that of another person.
 */
export function nameOf({ sub, email, email_verified: isVerified, preferred_username: username, name }: Claims): string {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  const given = [username, name].find(isText);
  const other = given === undefined ? sub : `${given.slice(0, NAME_LENGTH)} (${sub})`;
  // A colon ends the kind of an actor in the audit trail.
  return (isVerified !== false && isText(email) ? email : other).replaceAll(/[\p{C}:]/gu, ' ').trim();
}
