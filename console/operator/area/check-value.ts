import type { z } from 'zod';
import { ApiError } from '../../api/public.ts';

/** Validates a value by the contract's schema. Returns the problem, or null. */
export function problemOf(schema: z.ZodType, value: unknown): string | null {
  return schema.safeParse(value).error?.issues[0]?.message ?? null;
}

/** @throws ApiError VALIDATION_ERROR, which names the field, if the schema refuses the value */
export function checkValue(label: string, schema: z.ZodType, value: unknown): void {
  const problem = problemOf(schema, value);
  if (problem !== null) throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: `${label}: ${problem}` });
}
