type Json = Record<string, unknown>;
type WithSchemas = Json & { components: Json & { schemas: Json } };

/** The length of a reference without the component's name. */
const REFERENCE_LENGTH = '{"$ref":"#/components/schemas/"}'.length;
/** Members that say that an object is a schema. */
const SCHEMA_MEMBERS = ['type', 'anyOf', 'oneOf', 'allOf', 'enum', 'properties'];

type Found = { count: number; name: string };

/** Moves the members that all shapes of a union have to the union itself. */
export function withUnionBase(schema: Json): Json {
  const { oneOf } = schema;
  if (!Array.isArray(oneOf) || oneOf.length < 3 || !oneOf.every(hasMembers)) return schema;
  const [first, ...others] = oneOf;
  if (!first) return schema;
  const base = first.required.filter((name) =>
    others.every(
      ({ properties, required }) =>
        required.includes(name) && JSON.stringify(properties[name]) === JSON.stringify(first.properties[name]),
    ),
  );
  const shapes = oneOf.map(({ properties, required, ...rest }) => ({
    ...rest,
    ...withDescriptionsAbove(Object.entries(properties).filter(([name]) => !base.includes(name))),
    required: required.filter((name) => !base.includes(name)),
  }));
  const members = Object.fromEntries(base.map((name) => [name, first.properties[name]]));
  return { ...schema, properties: members, required: base, oneOf: shapes };
}

/** Describes the shape instead of its member, because equal members can be shared then. */
function withDescriptionsAbove(members: [string, unknown][]): Json {
  const texts: unknown[] = [];
  const properties = members.map(([name, member]) => {
    const { description, ...rest } = member as Json;
    if (description !== undefined) texts.push(description);
    return [name, rest];
  });
  return { ...(texts.length > 0 ? { description: texts.join('. ') } : {}), properties: Object.fromEntries(properties) };
}

/** Moves schemas that repeat to the components, if that makes the document shorter. */
export function sharedSchemas<D extends WithSchemas>(document: D): D {
  const found = new Map<string, Found>();
  count(document, 'Schema', found);
  const { schemas } = document.components;
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(schemas));
  for (const [text, { count: times, name }] of found) {
    const saved = (times - 1) * text.length - times * (REFERENCE_LENGTH + name.length) - name.length;
    if (times > 1 && saved > 0) names.set(text, unique(name, taken));
  }
  const shared = Object.fromEntries(
    [...names].map(([text, name]) => [name, replaceInside(JSON.parse(text) as Json, names)]),
  );
  const replaced = replaceInside(document, names) as D;
  const used = JSON.stringify({ ...replaced, shared });
  // A schema that occurs only within one larger shared schema is used once.
  const needed = Object.entries(shared).filter(([name]) => used.includes(`"#/components/schemas/${name}"`));
  const all = { ...replaced.components.schemas, ...Object.fromEntries(needed) };
  return { ...replaced, components: { ...replaced.components, schemas: extended(withBase(all)) } };
}

type ObjectSchema = Json & { properties: Json; required: string[] };

/** A schema with all members of another large one refers to it, and lists only its own members. */
function extended(schemas: Json): Json {
  const large = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] => isLarge(entry[1]));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = isLarge(schema)
        ? large.find(([other, each]) => other !== name && contains(schema, each))
        : undefined;
      return [name, base ? extension(schema as ObjectSchema, base) : schema];
    }),
  );
}

const LARGE = 10;

/** Adds the members that the two most similar schemas share, as a schema that both can extend. */
function withBase(schemas: Json): Json {
  const large = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] => isLarge(entry[1]));
  let best: { name: string; members: string[]; of: ObjectSchema } | null = null;
  for (const [index, [name, of]] of large.entries())
    for (const [, other] of large.slice(index + 1)) {
      const members = sharedMembers(of, other);
      const isWhole = members.length === Object.keys(of.properties).length || contains(of, other);
      if (!isWhole && members.length >= Math.max(LARGE, (best?.members.length ?? 0) + 1)) best = { name, members, of };
    }
  if (best === null) return schemas;
  const { name, members, of } = best;
  const properties = Object.fromEntries(members.map((member) => [member, of.properties[member]]));
  return { ...schemas, [`${name}Base`]: { properties, required: members } };
}

function sharedMembers(one: ObjectSchema, other: ObjectSchema): string[] {
  return one.required.filter(
    (member) =>
      other.required.includes(member) &&
      JSON.stringify(one.properties[member]) === JSON.stringify(other.properties[member]),
  );
}

function hasMembers(schema: unknown): schema is ObjectSchema {
  const { properties, required } = schema as Partial<ObjectSchema>;
  return properties !== undefined && required !== undefined;
}

function isLarge(schema: unknown): schema is ObjectSchema {
  return hasMembers(schema) && Object.keys(schema.properties).length >= LARGE;
}

function contains(schema: ObjectSchema, base: ObjectSchema): boolean {
  const isSmaller = Object.keys(base.properties).length < Object.keys(schema.properties).length;
  const hasAll = Object.entries(base.properties).every(
    ([name, member]) => JSON.stringify(schema.properties[name]) === JSON.stringify(member),
  );
  return isSmaller && hasAll && base.required.every((name) => schema.required.includes(name));
}

function extension({ properties, required, ...rest }: ObjectSchema, [name, base]: [string, ObjectSchema]): Json {
  const own = Object.entries(properties).filter(([member]) => !(member in base.properties));
  const ownRequired = required.filter((member) => !base.required.includes(member));
  const members = { properties: Object.fromEntries(own), ...(ownRequired.length > 0 ? { required: ownRequired } : {}) };
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }], ...members };
}

function count(value: unknown, name: string, found: Map<string, Found>): void {
  if (Array.isArray(value)) for (const item of value) count(item, name, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (isSchema(value)) {
    const text = JSON.stringify(value);
    const known = found.get(text);
    if (known) {
      known.count += 1;
      // Its parts are counted once, as parts of the shared schema.
      return;
    }
    found.set(text, { count: 1, name: componentName(name) });
  }
  for (const [member, inner] of Object.entries(value))
    if (member !== 'examples') count(inner, isKeyword(member) ? name : member, found);
}

function replaceInside(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replace(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, replace(inner, names)]));
}

function replace(value: unknown, names: Map<string, string>): unknown {
  const name = isSchema(value) ? names.get(JSON.stringify(value)) : undefined;
  return name === undefined ? replaceInside(value, names) : { $ref: `#/components/schemas/${name}` };
}

function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // In a map of properties, a property may have the name of a keyword: its value is then an object.
  return SCHEMA_MEMBERS.some((member) => member in value && !isPlainObject((value as Json)[member], member));
}

function isPlainObject(value: unknown, member: string): boolean {
  if (member === 'properties') return typeof value !== 'object' || value === null || isSchema(value);
  return typeof value === 'object' && !Array.isArray(value);
}

const KEYWORDS = new Set([
  'data',
  'schema',
  'items',
  'properties',
  'anyOf',
  'oneOf',
  'allOf',
  'content',
  'application/json',
]);

function isKeyword(member: string): boolean {
  // A status is no name of an answer; its operation is.
  return KEYWORDS.has(member) || /^\d/.test(member);
}

function componentName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('') || 'Schema';
}

function unique(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  taken.add(free);
  return free;
}
