import type { Question } from '../ports/ai.ts';

/** A picture of 2048 px costs 300 to 1,700 tokens with most models. */
const PICTURE_TOKENS = 3_000;
const ENVELOPE_TOKENS = 300;

/** The most that a question should cost, for budgets and for endpoints that do not tell: a token has two bytes or more. */
export function dearestTokens(question: Pick<Question<unknown>, 'rules' | 'data' | 'picture' | 'answer'>): number {
  const bytes = Buffer.byteLength(question.rules) + Buffer.byteLength(JSON.stringify(question.data));
  return ENVELOPE_TOKENS + Math.ceil(bytes / 2) + (question.picture ? PICTURE_TOKENS : 0) + question.answer.maxTokens;
}
