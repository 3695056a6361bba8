import { hash, timingSafeEqual } from 'node:crypto';
import type { OperatorCaller } from '../callers.ts';

/** The caller of OPERATOR_KEY, which belongs to no person. */
const SHARED_CALLER: OperatorCaller = { kind: 'operator', name: null, scope: 'act' };

/** Returns a function that finds the operator of a key; null for a wrong one. */
export function createOperatorAuthenticator(operatorKey: string): (text: string) => OperatorCaller | null {
  const expected = sha256(operatorKey);
  return (text) => (timingSafeEqual(sha256(text), expected) ? SHARED_CALLER : null);
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
