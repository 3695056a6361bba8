import { z } from 'zod';

/** A JSON object, such as a JSON Schema. */
export type Json = Record<string, unknown>;

/**
 * Returns the JSON Schema of an object, with every reference replaced by what it names: not every client of a tool follows
 * references.
 */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, override: tidy }) as Json & { $defs?: Json };
  return inlined(root, $defs) as Json;
}

function inlined(node: unknown, definitions: Json): unknown {
  if (Array.isArray(node)) return node.map((item) => inlined(item, definitions));
  if (!isObject(node)) return node;
  const { $ref, ...rest } = node;
  const named = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : {};
  const entries = Object.entries({ ...(isObject(named) ? named : {}), ...rest });
  return Object.fromEntries(entries.map(([key, value]) => [key, inlined(value, definitions)]));
}

/** Removes the names of shared schemas, and the bounds of safe integers. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Returns whether a value is a JSON object: no array, and not null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
