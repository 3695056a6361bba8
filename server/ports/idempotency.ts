/** One request with an Idempotency-Key. */
export type Once = {
  seal: AnswerSeal;
  fingerprint: Buffer;
  /** An answer as its operation shapes it. */
  shape: (data: unknown) => unknown;
  /** Set when the answer is one that was given before. */
  replayed: boolean;
};

/** What one Idempotency-Key opens: its row, and the answer in it. */
export type AnswerSeal = {
  /** Names the row; the key can not be found from it. */
  id: Buffer;
  /** 32 bytes that tell two requests apart. */
  fingerprint(request: string): Buffer;
  seal(answer: string): Buffer;
  /** @throws Error for what was not sealed with this key */
  open(sealed: Buffer): string;
};

export type AnswerSeals = {
  /** `scope` is who sent the key and for what: the same key of somebody else is another one. */
  of(scope: string, idempotencyKey: string): AnswerSeal;
};
