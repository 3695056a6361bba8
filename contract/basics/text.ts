import { z } from 'zod';

/** Text of `min` to `max` characters after trimming, counted in code points as JSON Schema does. */
export function text(min: number, max: number) {
  const range = min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
  return z
    .string()
    .trim()
    .refine((value) => hasLength(value, min, max), range)
    .meta({ ...(min === 0 ? {} : { minLength: min }), maxLength: max });
}

// A code point is one or two units of `length`, so most texts need no counting.
function hasLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  let count = 0;
  for (const _ of value) count += 1;
  return count >= min && count <= max;
}

/** An id in a request: a UUID in any letter case, lowercase after parsing. */
export const uuid = z.guid('a UUID').transform((value) => value.toLowerCase());

/** The path of a project. */
export const projectPath = z.object({ project_id: uuid });

/** A time in an answer: ISO 8601 in UTC with milliseconds and `Z`. A verb returns a Date. */
export const timestamp = z
  .date()
  .transform((value) => value.toISOString())
  .pipe(z.string().meta({ format: 'date-time' }));

/** An id in an answer: a UUIDv7. */
export const id = z.string().meta({ format: 'uuid' });

/** An Ethereum address in any letter case, lowercase after parsing; not the zero address. */
export const walletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .refine((value) => !/^0x0{40}$/.test(value), 'not the zero address: nobody has its key')
  .transform((value) => value.toLowerCase());

/** A specialization id, lowercase and with hyphens after parsing; underscores are accepted. */
export const specializationId = z
  .string()
  .trim()
  .max(64, 'at most 64 characters')
  .transform((value) => value.toLowerCase().replaceAll('_', '-'));

/** A specialization of the catalog, as answers show it. */
export const specialization = z
  .object({ id: z.string(), name: z.string(), description: z.string(), category: z.string() })
  .meta({ id: 'Specialization' });

/** 1 to 5 different specialization ids. The server checks that they exist. */
export const specializationIds = z
  .array(specializationId)
  .transform((ids) => [...new Set(ids)])
  .refine((ids) => ids.length >= 1 && ids.length <= 5, '1 to 5 specialization ids of GET /specializations')
  .meta({ minItems: 1, maxItems: 5, description: '1 to 5 ids of `GET /specializations`, which needs no key' });

/** A new API key in an answer. The service stores only its hash, so no later answer contains it. */
export const apiKey = z
  .string()
  .meta({ description: 'Shown only once', examples: ['ck_test_0sTQnHKzP3yYw1vJ9aGkL2_…'] });
