import { z } from 'zod';
import { timestamp } from './text.ts';

/** A new API key in a response. The service stores only its hash, so no later response contains it. */
export const apiKey = z
  .string()
  .meta({ description: 'Shown only once', examples: ['ck_test_0sTQnHKzP3yYw1vJ9aGkL2_…'] });

const name = z.string().nullable().meta({ description: 'Null if none was given' });

/** Returns the schema of a key's id in a path or a body. `list`: the operation that lists the ids. */
export function keyIdOf(list: string) {
  return z.string().regex(/^[0-9A-Za-z]{22}$/, `a key id of ${list}`);
}

/** Returns the schema of a key in a list. `id`: the name of the schema. */
export function listedKeyOf<const Scope extends z.ZodType>(scope: Scope, id: string) {
  return z
    .object({
      id: z.string(),
      name,
      scope,
      createdAt: timestamp,
      lastUsedAt: timestamp
        .nullable()
        .meta({ description: 'When a request last used the key, up to a minute old; null if none did' }),
      expiresAt: timestamp
        .nullable()
        .meta({ description: 'When the key stops or stopped working; null if it has no end' }),
      current: z.boolean().meta({ description: 'Whether this request, or its session, uses this key' }),
    })
    .meta({ id });
}

/** Returns the schema of the answer to the creation of a key. */
export function createdKeyOf<const Scope extends z.ZodType>(scope: Scope) {
  return z.object({ message: z.string(), keyId: z.string(), apiKey, name, scope });
}
