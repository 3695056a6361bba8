import { parseSync } from '@swc/core';

type Node = { type: string; [key: string]: unknown };
/** The names of a file that stand for a part of a catalog, for example `text` for `market.project`. */
type Names = Map<string, Set<string>>;

/**
 * Returns the paths of texts that a source reads, for example `market.project.title`. Where it reads a text by a name that
 * only runs know, or hands on a part of a catalog, the path is that part. `roots` maps the exported names of catalogs to
 * their keys.
 */
export function textsReadBy(source: string, roots: ReadonlyMap<string, string>): Set<string> {
  const tree = parseSync(source, { syntax: 'typescript', tsx: true, target: 'esnext' }) as unknown as Node;
  const names = namesOf(tree, roots);
  const read = new Set<string>();
  visitUses(tree, names, (paths) => {
    for (const path of paths) read.add(path);
  });
  return read;
}

/** Follows imports, `const text = market.project`, and `const { title } = text` until no name is new. */
function namesOf(tree: Node, roots: ReadonlyMap<string, string>): Names {
  const names: Names = new Map();
  const name = (local: string, path: string) => names.set(local, (names.get(local) ?? new Set()).add(path));
  const declarators: Node[] = [];
  walk(tree, (node) => {
    if (node.type === 'ImportDeclaration' && valueOf(node['source']).endsWith('messages/public.ts'))
      for (const one of nodesIn(node['specifiers'])) {
        const local = valueOf(one['local']);
        const root = roots.get(valueOf(one['imported']) || local);
        if (root !== undefined) name(local, root);
      }
    if (node.type === 'VariableDeclarator') declarators.push(node);
  });
  for (let known = -1; known !== sizeOf(names);) {
    known = sizeOf(names);
    for (const { id, init } of declarators)
      if (isNode(id) && isNode(init)) for (const path of chainOf(init, names) ?? []) bind(id, path, name);
  }
  return names;
}

const sizeOf = (names: Names) => [...names.values()].reduce((sum, paths) => sum + paths.size, 0);

/** Names what a pattern takes out of a part. */
function bind(pattern: Node, path: string, name: (local: string, path: string) => void): void {
  if (pattern.type === 'Identifier') name(valueOf(pattern), path);
  if (pattern.type !== 'ObjectPattern') return;
  for (const property of nodesIn(pattern['properties'])) {
    const child = `${path}.${valueOf(property['key'])}`;
    if (property.type === 'AssignmentPatternProperty') name(valueOf(property['key']), child);
    if (property.type === 'KeyValuePatternProperty' && isNode(property['value'])) bind(property['value'], child, name);
  }
}

/** The paths of `name`, or of `name.a.b`; null for anything else. */
function chainOf(node: Node, names: Names): string[] | null {
  if (node.type === 'Identifier') return [...(names.get(valueOf(node)) ?? [])];
  if (node.type !== 'MemberExpression') return null;
  const { object, property } = node;
  if (!isNode(object) || !isNode(property) || property.type !== 'Identifier') return null;
  return chainOf(object, names)?.map((path) => `${path}.${valueOf(property)}`) ?? null;
}

function visitUses(node: unknown, names: Names, use: (paths: string[]) => void): void {
  if (!isNode(node)) {
    // Lists, and the arguments of calls.
    if (typeof node === 'object' && node !== null) for (const each of Object.values(node)) visitUses(each, names, use);
    return;
  }
  if (node.type === 'ImportDeclaration' || node.type.startsWith('Ts')) {
    // Types read nothing. `value as Type` and the like contain an expression.
    if (isNode(node['expression'])) visitUses(node['expression'], names, use);
    return;
  }
  if (node.type === 'VariableDeclarator' && isName(node, names)) return;
  if (node.type === 'ExportDeclaration' && isNode(node['declaration']))
    walk(node['declaration'], ({ type, init }) => {
      if (type === 'VariableDeclarator' && isNode(init)) use(chainOf(init, names) ?? []);
    });
  const paths = chainOf(node, names);
  if (paths && paths.length > 0) return use(paths);
  for (const [key, child] of Object.entries(node)) {
    // The name of a property is no use of a part that happens to have the same name.
    const isLabel = LABELS.has(key) && isNode(child) && child.type === 'Identifier';
    if (key === 'params') visitDefaults(child, names, use);
    else if (!isLabel) visitUses(child, names, use);
  }
}

/** Where an identifier is the name of a property or of an attribute. */
const LABELS = new Set(['key', 'property', 'name']);

/** Whether a declaration only names a part, which reads nothing by itself. Another file could read an exported name. */
function isName({ id, init }: Node, names: Names): boolean {
  if (!isNode(id) || !isNode(init) || (chainOf(init, names)?.length ?? 0) === 0) return false;
  if (id.type === 'Identifier') return true;
  return id.type === 'ObjectPattern' && nodesIn(id['properties']).every(({ type }) => type !== 'RestElement');
}

/** Names of parameters are declarations. Their defaults are uses. */
function visitDefaults(node: unknown, names: Names, use: (paths: string[]) => void): void {
  walk(node, (each) => {
    if (each.type === 'AssignmentPattern') visitUses(each['right'], names, use);
    if (each.type === 'AssignmentPatternProperty') visitUses(each['value'], names, use);
  });
}

function walk(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (isNode(node)) see(node);
  for (const child of Object.values(node)) walk(child, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or the text of a literal. */
function valueOf(node: unknown): string {
  return isNode(node) && typeof node['value'] === 'string' ? node['value'] : '';
}
