import type { ModelQuestion } from '../ports/ai.ts';

/** Upper bound for a picture: with most models, one of 2048 px costs 300 to 1,700 tokens. */
const PICTURE_TOKENS = 3_000;
const ENVELOPE_TOKENS = 300;

/**
 * Returns an upper bound of a question's tokens, at two bytes per token. It serves budgets, and endpoints that report
 * no usage.
 */
export function dearestTokens(question: Pick<ModelQuestion<unknown>, 'rules' | 'data' | 'picture' | 'answer'>): number {
  const bytes = Buffer.byteLength(question.rules) + Buffer.byteLength(JSON.stringify(question.data));
  return ENVELOPE_TOKENS + Math.ceil(bytes / 2) + (question.picture ? PICTURE_TOKENS : 0) + question.answer.maxTokens;
}
