import type { AnswerSeal } from '../idempotency/seals.ts';

/** One request with an Idempotency-Key. */
export type Once = {
  seal: AnswerSeal;
  fingerprint: Buffer;
  /** An answer as its operation shapes it. */
  shape: (data: unknown) => unknown;
  /** Set when the answer is one that was given before. */
  replayed: boolean;
};
