// What idempotency/ offers to other folders; everything else in it is private.

export { AnsweredBefore, WAIT_MS, answerGiven, doOnce, inProgress } from './do-once.ts';
export { removeOldKeys } from './remove-old-keys.ts';
export { createAnswerSeals } from './seals.ts';
