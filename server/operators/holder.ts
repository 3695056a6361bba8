const PERSON = 'person:';

/** Returns who has the sessions: a person of the identity provider, or, for null, OPERATOR_KEY. */
export function holderOf(subject: string | null) {
  return { kind: 'operator', accountId: subject === null ? 'OPERATOR_KEY' : `${PERSON}${subject}` } as const;
}

/** Returns the person at the identity provider; null for OPERATOR_KEY. */
export function subjectOf(accountId: string): string | null {
  return accountId.startsWith(PERSON) ? accountId.slice(PERSON.length) : null;
}
