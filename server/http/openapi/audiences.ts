import type { OperationSpec } from '../../../contract/basics/operation.ts';

/** The readers that have an OpenAPI document of their own. */
export const AUDIENCES = ['agent', 'poster', 'public', 'operator'] as const;
/** One of the readers. */
export type Audience = (typeof AUDIENCES)[number];

/** Operations without a key that a reader needs beside its own: mostly the ones that lead to the key. */
const ALSO: Record<Audience, readonly string[]> = {
  agent: ['createAgent', 'listPublicSpecializations', 'getNetwork', 'mintTestUsdc', 'getTerms'],
  poster: [
    'createPoster',
    'challengeSession',
    'createSession',
    'listPublicSpecializations',
    'getNetwork',
    'mintTestUsdc',
  ],
  public: [],
  operator: ['getNetwork'],
};

/** Returns whether the text names a reader. */
export function isAudience(text: string): text is Audience {
  return AUDIENCES.some((audience) => audience === text);
}

/** Returns the operations that one reader can use. */
export function specsFor(audience: Audience, specs: OperationSpec[]): OperationSpec[] {
  return specs.filter(({ auth, id }) => auth === audience || (auth === 'public' && ALSO[audience].includes(id)));
}

type Json = Record<string, unknown>;
type Operation = Json & { responses: Record<string, Json & { headers?: Json }> };
type Document = Json & { paths: Record<string, Record<string, Operation>>; components: Json };

/**
 * Shrinks a document so that a language model can read it whole. Equal error answers become one component. The headers of
 * limits, which every answer has, are described once instead of at each answer. A pattern beside a format is left out.
 */
export function compacted(document: Json): Json {
  const { paths, components, info, ...rest } = briefly(document) as Document;
  const shared = new Map<string, { name: string; answer: Json }>();
  const share = (status: string, answer: Json): Json => {
    const text = JSON.stringify(answer);
    const known = shared.get(text) ?? { name: `E${status}_${shared.size + 1}`, answer };
    shared.set(text, known);
    return { $ref: `#/components/responses/${known.name}` };
  };
  const compactOperation = (operation: Operation): Json => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => {
        const brief = withoutCommonHeaders(answer);
        return [status, status < '300' ? brief : share(status, brief)];
      }),
    ),
  });
  const compactPaths = Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, compactOperation(each)])),
    ]),
  );
  const responses = Object.fromEntries([...shared.values()].map(({ name, answer }) => [name, answer]));
  return { ...rest, info: describedOnce(info), paths: compactPaths, components: { ...components, responses } };
}

/** Leaves out what another member says already. */
function briefly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(briefly);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) =>
      !(name === 'pattern' && 'format' in value) && !(name === 'additionalProperties' && member === false),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, briefly(member)]));
}

const COMMON = new Set([
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]);

function withoutCommonHeaders({ headers = {}, ...answer }: Json & { headers?: Json }): Json {
  const left = Object.entries(headers).filter(([name]) => !COMMON.has(name));
  return left.length > 0 ? { ...answer, headers: Object.fromEntries(left) } : answer;
}

function describedOnce(info: unknown): Json {
  const { description, ...rest } = info as Json & { description: string };
  const common = `Each answer has \`X-Request-Id\`; answers of limited operations have ${[...COMMON]
    .filter((name) => name !== 'X-Request-Id')
    .map((name) => `\`${name}\``)
    .join(', ')}.`;
  return { ...rest, description: `${description} ${common}` };
}
