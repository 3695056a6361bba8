/** One request with an Idempotency-Key. */
export type IdempotentCall = {
  seal: AnswerSeal;
  /** Tells this request from another one with the same key. */
  fingerprint: Buffer;
  /** Shapes a verb's result as its operation answers it. */
  shape: (data: unknown) => unknown;
  /** Becomes true when the answer is a stored one. */
  replayed: boolean;
};

/** Encrypts the stored answer of one Idempotency-Key. */
export type AnswerSeal = {
  /** The id of the key's row. It does not reveal the key. */
  id: Buffer;
  /** Returns 32 bytes that differ between two requests. */
  fingerprint(request: string): Buffer;
  seal(answer: string): Buffer;
  /** @throws Error for data that was not sealed with this key */
  open(sealed: Buffer): string;
};

export type AnswerSeals = {
  /**
   * Returns the seal of a key within `scope`: the operation and its caller. The same key in another scope is another
   * key.
   */
  of(scope: string, idempotencyKey: string): AnswerSeal;
};
