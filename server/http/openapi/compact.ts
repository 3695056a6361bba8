import { sharedSchemas, withUnionBase } from './shared-schemas.ts';

type Json = Record<string, unknown>;
type Operation = Json & {
  description?: string;
  parameters?: Json[];
  security?: unknown;
  responses: Record<string, Json & { headers?: Json }>;
};
type Document = Json & {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: Json & { schemas: Json };
};

/** The codes of refusals that most operations can answer. The answer to all of them is described once. */
const COMMON_CODES = new Set([
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'KEY_SCOPE',
  'ORIGIN_FORBIDDEN',
  'AGENT_SUSPENDED',
  'INVALID_PARAMETER',
  'VALIDATION_ERROR',
  'RATE_LIMIT_EXCEEDED',
  'DATABASE_ERROR',
  'INTERNAL_ERROR',
]);

/** Headers that every answer has. The document describes them once. */
const COMMON_HEADERS = new Set([
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]);

/** A description longer than this is shortened. */
const LONG = 60;

/** Descriptions of conventions, which the introduction states once for the whole document. */
const CONVENTIONS = new Set([
  'ISO 8601, UTC',
  'ISO 8601, UTC, with milliseconds',
  'UUID',
  'UUIDv7',
  'USDC microdollars (1 USDC = 1000000)',
]);

const INTRODUCTION = [
  'Ids are UUIDs. Times are ISO 8601 in UTC. Amounts that end in `_micro` are integer microdollars: 1 USDC = 1000000.',
  `Each answer has \`X-Request-Id\`; answers of limited operations have ${[...COMMON_HEADERS].slice(1).map(code).join(', ')}.`,
  `Beside the codes of its description, an operation can answer ${[...COMMON_CODES].map(code).join(', ')}. An answer with status 5xx has the body of \`Failure\`: repeat the request.`,
].join(' ');

/**
 * Shrinks a document so that a language model can read it whole: errors, parameters, and schemas that repeat become
 * components, and conventions are stated once. Clients that are generated from it have the same types.
 */
export function compacted(document: Json): Json {
  const { info, paths, components, ...rest } = briefly(document) as Document;
  const parameters = new Map<string, { name: string; parameter: Json }>();
  const [security] = mostFrequent(paths);
  const compactPaths = mapOperations(paths, (operation) => {
    const own = withParameters(withErrors(operation), parameters);
    if (JSON.stringify(own.security) === security) delete own.security;
    return own;
  });
  const schemas = shortened(components.schemas) as Json;
  return usedOnly(
    sharedSchemas({
      ...rest,
      info: { ...info, description: `${info.description} ${INTRODUCTION}` },
      security: JSON.parse(security) as unknown,
      paths: compactPaths,
      components: {
        ...components,
        schemas,
        parameters: Object.fromEntries([...parameters.values()].map(({ name, parameter }) => [name, parameter])),
        responses: RESPONSES,
      },
    }),
  );
}

/**
 * Shortens what describes answers: the first sentence of each description stays, and names such as `id` and `created_at`
 * tell the format. The whole document has the rest.
 */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !(name === 'format' && (member === 'uuid' || member === 'date-time')))
      .map(([name, member]) => [
        name,
        name === 'description' && typeof member === 'string' ? brief(member) : shortened(member),
      ]),
  );
}

/** The first sentence, and of a long one the part before its first semicolon. */
function brief(description: string): string {
  const [sentence = ''] = description.split(/(?<=\w{3}|[`)])\. /, 1);
  return sentence.length > LONG && !sentence.startsWith('`') ? sentence.replace(/; .*$/s, '') : sentence;
}

/** Leaves out components that nothing refers to. */
function usedOnly(document: Json & { components: Json }): Json {
  const { components, ...rest } = document;
  const { securitySchemes = {}, ...groups } = components as Record<string, Json>;
  const text = JSON.stringify(document);
  const isUsed = (group: string, name: string) => text.includes(`"#/components/${group}/${name}"`);
  const used = Object.entries(groups).map(([group, members]): [string, Json] => [
    group,
    Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(group, name))),
  ]);
  const schemes = Object.entries(securitySchemes).filter(([name]) => text.includes(`{"${name}":[]}`));
  const left = { ...rest, components: { ...Object.fromEntries(used), securitySchemes: Object.fromEntries(schemes) } };
  // A component may have been the only one that referred to another.
  return JSON.stringify(left).length < text.length ? usedOnly(left) : left;
}

/** Leaves out what another member, or the introduction, says already. */
function briefly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => briefly(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => !isImplied(name, member, value as Json));
  return withUnionBase(
    nullable(withoutNullError(Object.fromEntries(members.map(([name, member]) => [name, briefly(member)])))),
  );
}

function isImplied(name: string, member: unknown, schema: Json): boolean {
  if (name === 'pattern') return 'format' in schema;
  if (name === 'additionalProperties') return member === false || JSON.stringify(member) === '{}';
  if (name === 'required') return member === false;
  if (name === 'type') return isTypeImplied(schema);
  if (name === 'description') return typeof member === 'string' && CONVENTIONS.has(member);
  return name === 'propertyNames';
}

/** The member `error` of an answer that succeeds is always null. */
function withoutNullError(schema: Json): Json {
  const { properties, required } = schema as { properties?: Json; required?: string[] };
  if (JSON.stringify(properties?.['success']) !== '{"const":true}') return schema;
  const { error: _, ...members } = properties ?? {};
  return { ...schema, properties: members, required: required?.filter((name) => name !== 'error') };
}

/** A constant has its own type, and only objects have properties. */
function isTypeImplied({ type, ...schema }: Json): boolean {
  return 'const' in schema || (type === 'object' && typeof schema['properties'] === 'object' && 'required' in schema);
}

/** `type: [T, null]` is shorter than the choice between a schema of the type T and null. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf as [Json, Json];
  if (second['type'] !== 'null' || typeof first['type'] !== 'string' || 'const' in first) return schema;
  const values = Array.isArray(first['enum']) ? { enum: [...(first['enum'] as unknown[]), null] } : {};
  return { ...first, ...rest, ...values, type: [first['type'], 'null'] };
}

const RESPONSES: Json = {
  Refused: {
    description: 'Refused',
    headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  },
  PaymentRequired: {
    description: '`PAYMENT_REQUIRED`, `PAYMENT_FAILED`',
    headers: Object.fromEntries(
      ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
  },
};

/** Replaces the answers of errors by shared ones, and lists the codes that are special to the operation. */
function withErrors({ description, ...operation }: Operation): Operation {
  const codes = new Set<string>();
  const responses: Operation['responses'] = {};
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (status < '300') responses[status] = briefAnswer(answer);
    else if (status === '402') responses[status] = { $ref: '#/components/responses/PaymentRequired' };
    else for (const found of codesOf(answer)) if (!COMMON_CODES.has(found)) codes.add(found);
  }
  responses['4XX'] = { $ref: '#/components/responses/Refused' };
  const errors = codes.size === 0 ? [] : [`Errors: ${[...codes].map(code).join(', ')}.`];
  const told = [...(description === undefined ? [] : [description]), ...errors].join(' ');
  return { ...operation, ...(told === '' ? {} : { description: told }), responses };
}

function codesOf({ description }: Json): string[] {
  return [...String(description).matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** The summary of the operation says what its answer is. */
function briefAnswer({ headers = {}, ...answer }: Json & { headers?: Json }): Json {
  const left = Object.entries(headers).filter(([name]) => !COMMON_HEADERS.has(name));
  return {
    ...(shortened(answer) as Json),
    description: 'OK',
    ...(left.length > 0 ? { headers: Object.fromEntries(left) } : {}),
  };
}

function withParameters(operation: Operation, shared: Map<string, { name: string; parameter: Json }>): Operation {
  const { parameters } = operation;
  if (!parameters) return operation;
  const references = parameters.map((parameter) => {
    const text = JSON.stringify(parameter);
    const wanted = String(parameter['name']);
    const taken = [...shared.values()].filter(({ name }) => name.replace(/_\d+$/, '') === wanted).length;
    const name = taken === 0 ? wanted : `${wanted}_${taken + 1}`;
    const known = shared.get(text) ?? { name, parameter: shortened(parameter) as Json };
    shared.set(text, known);
    return { $ref: `#/components/parameters/${known.name}` };
  });
  return { ...operation, parameters: references };
}

function mapOperations(paths: Document['paths'], change: (operation: Operation) => Operation): Json {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, change(each)])),
    ]),
  );
}

/** The security of most operations becomes the default of the document. */
function mostFrequent(paths: Document['paths']): [string] {
  const counts = new Map<string, number>();
  for (const methods of Object.values(paths))
    for (const { security } of Object.values(methods)) {
      const text = JSON.stringify(security);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return [first?.[0] ?? '[]'];
}

function code(name: string): string {
  return `\`${name}\``;
}
