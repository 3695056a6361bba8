// Runs a request with an Idempotency-Key at most once: the public interface of idempotency/.

export { AlreadyAnswered, findReplay, runIdempotent, removeOldKeys } from './run-idempotent.ts';
export { createAnswerSeals } from './seals.ts';
