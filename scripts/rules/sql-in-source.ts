import { parseSync } from '@swc/core';

/** One piece of SQL in a source file. `texts` are the parts around its holes. */
export type SqlText = {
  texts: string[];
  /** The content of each hole, if the file shows it: the name of `${tx('agents')}`, or the text of a local function. */
  holes: (string | null)[];
};

export type SqlOfFile = {
  /** Tagged templates, and literals that the file passes to `unsafe`. */
  statements: SqlText[];
  /** Whether the file passes a text to `unsafe` that is not a literal. */
  dynamic: boolean;
  /** All other literals. If `dynamic` is true, they can be parts of that text. */
  literals: SqlText[];
};

type Node = { type: string; [key: string]: unknown };

const NOT_SQL = new Set(['String.raw']);

/** Returns every SQL text of a TypeScript source. Each tagged template counts as SQL, except `String.raw`. */
export function sqlOf(source: string): SqlOfFile {
  const found: SqlOfFile = { statements: [], dynamic: false, literals: [] };
  const seen = new Set<unknown>();
  const tree = parseSync(source, { syntax: 'typescript', target: 'esnext' });
  const local = localFragments(tree);
  visit(tree, (node) => {
    if (seen.has(node)) return;
    if (node.type === 'ImportDeclaration' || node.type === 'TsLiteralType') return 'skip';
    if (node.type === 'TaggedTemplateExpression') {
      const template = node['template'] as Node;
      seen.add(template);
      if (!NOT_SQL.has(nameOf(node['tag']))) found.statements.push(textOf(template, local));
    } else if (node.type === 'CallExpression' && isUnsafe(node['callee'])) {
      seen.add(node['callee']);
      const [argument] = node['arguments'] as { expression: Node }[];
      const text = argument && literalOf(argument.expression, local);
      if (text) {
        seen.add(argument.expression);
        found.statements.push(text);
      } else found.dynamic = true;
    } else if (isUnsafe(node)) found.dynamic = true;
    else {
      const text = literalOf(node, local);
      if (text) found.literals.push(text);
    }
    return;
  });
  return found;
}

/** Visits objects with a `type`, depth first. If `look` returns 'skip', the visit leaves out the children. */
function visit(value: unknown, look: (node: Node) => 'skip' | undefined): void {
  if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string' && look(value as Node) === 'skip') return;
    for (const child of Object.values(value)) visit(child, look);
  }
}

function isUnsafe(value: unknown): boolean {
  return (value as Node).type === 'MemberExpression' && nameOf(value).endsWith('.unsafe');
}

/** Returns names such as `db`, `String.raw`, or `deps.db.unsafe`. An unnamed part is `?`. */
function nameOf(value: unknown): string {
  const node = value as Node;
  if (node.type === 'Identifier') return String(node['value']);
  if (node.type === 'Computed') return nameOf(node['expression']);
  if (node.type === 'StringLiteral') return String(node['value']);
  if (node.type === 'MemberExpression') return `${nameOf(node['object'])}.${nameOf(node['property'])}`;
  return '?';
}

/** Returns the texts of `const part = (db) => db`…`;` by name, with a value in each hole. */
function localFragments(tree: unknown): Map<string, string> {
  const found = new Map<string, string>();
  visit(tree, (node) => {
    const init = node.type === 'VariableDeclarator' ? (node['init'] as Node | null) : null;
    const body = init?.type === 'ArrowFunctionExpression' ? (init['body'] as Node) : null;
    if (body?.type === 'TaggedTemplateExpression') {
      found.set(nameOf(node['id']), partsOf(body['template'] as Node).join('$1'));
    }
    return undefined;
  });
  return found;
}

function literalOf(node: Node, local: Map<string, string>): SqlText | null {
  if (node.type === 'TemplateLiteral') return textOf(node, local);
  return node.type === 'StringLiteral' ? { texts: [String(node['value'])], holes: [] } : null;
}

function textOf(template: Node, local: Map<string, string>): SqlText {
  const holes = (template['expressions'] as Node[]).map((expression) => {
    if (expression.type !== 'CallExpression' || (expression['callee'] as Node).type !== 'Identifier') return null;
    const [argument, ...others] = expression['arguments'] as { expression: Node }[];
    const named = argument?.expression.type === 'StringLiteral' && others.length === 0;
    return named ? String(argument.expression['value']) : (local.get(nameOf(expression['callee'])) ?? null);
  });
  return { texts: partsOf(template), holes };
}

function partsOf(template: Node): string[] {
  return (template['quasis'] as { cooked: string | null; raw: string }[]).map(({ cooked, raw }) => cooked ?? raw);
}
