import { isObject, type Json } from './json-schema.ts';

/** The fields of an output that hold strangers' text, as a tree of their names. Lists do not appear in it. */
export type UntrustedFields = { [name: string]: true | UntrustedFields };

const PREFIX = 'untrusted_';

/**
 * Reads paths such as `projects.poster.name` as a tree.
 *
 * @param paths the names from the root to the field; a list of objects counts as one object
 */
export function untrustedFields(paths: readonly string[]): UntrustedFields {
  const tree: UntrustedFields = {};
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = tree;
    for (const name of names) {
      const below = at[name];
      const next = typeof below === 'object' ? below : {};
      at[name] = next;
      at = next;
    }
    at[last] = true;
  }
  return tree;
}

/** Renames the fields with strangers' text in the data of an answer, so that a model sees which text it must not obey. */
export function markUntrusted(data: object, fields: UntrustedFields): Json {
  return Object.fromEntries(
    Object.entries(data).map(([name, item]: [string, unknown]) => {
      const { [name]: below } = fields;
      return [nameOf(name, fields), typeof below === 'object' ? markBelow(item, below) : item];
    }),
  );
}

function markBelow(value: unknown, fields: UntrustedFields): unknown {
  if (Array.isArray(value)) return value.map((item) => markBelow(item, fields));
  return isObject(value) ? markUntrusted(value, fields) : value;
}

/** Renames the same fields in a JSON Schema without references. @throws Error for a field that the schema does not have */
export function markUntrustedSchema(schema: Json, fields: UntrustedFields): Json {
  const found = new Set<string>();
  const marked = markNode(schema, fields, '', found);
  const missing = leavesOf(fields, '').filter((path) => !found.has(path));
  if (missing.length > 0) throw new Error(`an output has no ${missing.join(', ')}`);
  return marked;
}

function markNode(node: Json, fields: UntrustedFields, path: string, found: Set<string>): Json {
  const marked: Json = { ...node };
  if (isObject(node['items'])) marked['items'] = markNode(node['items'], fields, path, found);
  for (const key of ['anyOf', 'allOf', 'oneOf']) {
    const { [key]: branches } = node;
    if (Array.isArray(branches))
      marked[key] = branches.map((branch: unknown) =>
        isObject(branch) ? markNode(branch, fields, path, found) : branch,
      );
  }
  const { properties, required } = node;
  if (isObject(properties)) {
    const entries = Object.entries(properties).map(([name, property]) => {
      const { [name]: below } = fields;
      if (below === true) found.add(path + name);
      const inner = typeof below === 'object' && isObject(property);
      return [nameOf(name, fields), inner ? markNode(property, below, `${path}${name}.`, found) : property];
    });
    marked['properties'] = Object.fromEntries(entries);
  }
  if (Array.isArray(required)) marked['required'] = required.map((name) => nameOf(String(name), fields));
  return marked;
}

function nameOf(name: string, fields: UntrustedFields): string {
  return fields[name] === true ? PREFIX + name : name;
}

function leavesOf(fields: UntrustedFields, path: string): string[] {
  return Object.entries(fields).flatMap(([name, below]) =>
    below === true ? [path + name] : leavesOf(below, `${path}${name}.`),
  );
}
