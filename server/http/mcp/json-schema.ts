import { z } from 'zod';

/** A JSON object, such as a JSON Schema. */
export type Json = Record<string, unknown>;

/**
 * Returns the JSON Schema of an object, with every reference replaced by what it names: not every client of a tool follows
 * references. A schema of input keeps to what the interfaces of all models take.
 */
export function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, override: tidy }) as Json & { $defs?: Json };
  const whole = inlined(root, $defs) as Json;
  return io === 'input' ? inSubset(whole) : whole;
}

/** The formats that every interface takes. */
const FORMATS = new Set<unknown>(['date-time']);

/**
 * Returns a schema that Gemini, OpenAI, and older frameworks take: one type, lists of values instead of constants, and
 * no keyword that one of them refuses. It may allow less than the operation, which checks its input itself.
 */
function inSubset(schema: Json): Json {
  const { anyOf, ...own } = schema;
  const all: Json = { ...own, ...firstOf(anyOf) };
  const {
    const: only,
    propertyNames: _,
    additionalProperties,
    format,
    pattern,
    type,
    properties,
    items,
    ...rest
  } = all;
  return {
    ...rest,
    type: Array.isArray(type) ? (type as unknown[]).find((each) => each !== 'null') : type,
    ...(only === undefined ? {} : { enum: [only] }),
    ...(additionalProperties === false ? { additionalProperties } : {}),
    ...(FORMATS.has(format) ? { format } : {}),
    // Some interfaces read patterns without lookaheads.
    ...(typeof pattern === 'string' && !pattern.includes('(?') ? { pattern } : {}),
    ...(isObject(properties) ? { properties: mapValues(properties, (each) => inSubset(each as Json)) } : {}),
    ...(isObject(items) ? { items: inSubset(items) } : {}),
  };
}

/** Returns the first of several shapes that is not null. */
function firstOf(shapes: unknown): Json {
  const all: unknown[] = Array.isArray(shapes) ? shapes : [];
  return all.filter(isObject).find(({ type }) => type !== 'null') ?? {};
}

function mapValues(values: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
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
