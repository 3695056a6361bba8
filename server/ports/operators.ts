import type { OperatorCaller } from './callers.ts';
import type { KnownKeys } from './keys.ts';

/** The sessions of operators' browsers. */
export type OperatorSessions = KnownKeys & {
  /** Returns the operator of a key, or null for a wrong one. */
  holderOf(key: string): OperatorCaller | null;
  /** Returns what a session stores of OPERATOR_KEY. */
  sharedHashOf(sessionId: string): string;
};
