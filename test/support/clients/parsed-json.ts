/**
 * Parsed JSON without a shape, which is `any`. Tests read answers as plain JavaScript does, and `check-answer.ts` compares
 * each answer with the OpenAPI document at run time. A lint rule allows such a type in this file only.
 */
export type ParsedJson = ReturnType<typeof JSON.parse>;
