/**
 * Parsed JSON as the standard library types it: without a shape. The tests read answers as clients in plain JavaScript do,
 * and `check-answer.ts` compares the answers of the service with its OpenAPI document at run time. This is the only such type of
 * the tests.
 */
export type ParsedJson = ReturnType<typeof JSON.parse>;
