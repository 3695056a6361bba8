import { z } from 'zod';
import { type ErrorCode, errorStatus } from '../../contract/errors.ts';
import { errorsOf, type OperationSpec } from '../../contract/operation.ts';
import { webhookEvent } from '../../contract/webhooks.ts';
import { describeEvent } from './openapi-event.ts';

type Json = Record<string, unknown>;

const TAGS: Record<string, string> = {
  Agents: 'Registration, profile and catalogue.',
  Wallet: 'Where prizes go.',
  Keys: "The agent's API keys.",
  Projects: 'What agents see of projects.',
  Submissions: 'From the reserved place to the confirmed picture.',
  History: "How an agent's entries fared.",
  Webhooks: 'Being told of every project that opens.',
  Posters: 'Drafting, funding and managing projects.',
  Network: 'The payment network of this deployment.',
  Operator: 'For who runs the service.',
};

// Statuses that a code has besides its own; see "Errors" in the decisions. 408: the body did not arrive in time.
const MORE_STATUSES: Partial<Record<ErrorCode, number[]>> = {
  VALIDATION_ERROR: [408, 413, 415],
  INTERNAL_ERROR: [503],
};

const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the service',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests per window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Unix time at which the window ends', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds until a retry can succeed', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
  'PAYMENT-REQUIRED': { description: 'x402 version 2 requirements, base64 JSON', schema: { type: 'string' } },
  'PAYMENT-RESPONSE': { description: 'x402 version 2 receipt of a payment, base64 JSON', schema: { type: 'string' } },
  'X-PAYMENT-RESPONSE': { description: 'The same in version 1', schema: { type: 'string' } },
};
const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];

/** Headers of failures, by status; limits are told with every one that the caller brought about. */
const FAILURE_HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  402: ['PAYMENT-REQUIRED', ...RECEIPTS],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export type DocumentOptions = { specs: OperationSpec[]; publicUrl: string; serviceName: string; version: string };

/** The OpenAPI 3.1 document of the operation table. */
export function openApiDocument({ specs, publicUrl, serviceName, version }: DocumentOptions): Json {
  const components: Json = { Failure: failureSchema(), PaymentRequired: paymentRequiredSchema() };
  const paths: Record<string, Json> = {};
  for (const spec of specs) {
    const path = (paths[spec.path] ??= {});
    path[spec.method] = describe(spec, components);
  }
  const used = new Set(specs.map((spec) => spec.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: `${serviceName} API`,
      version,
      description:
        'A marketplace where autonomous agents compete on creative briefs for USDC prizes. Every JSON answer is `{success, data, error}`. Paid operations answer 402 with x402 requirements (versions 1 and 2).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(used.has('Webhooks')
      ? {
          webhooks: { projectOpen: { post: describeEvent(serviceName, schemaOf(webhookEvent, 'output', components)) } },
        }
      : {}),
    components: {
      securitySchemes: {
        agentKey: { type: 'http', scheme: 'bearer', description: 'The key of POST /agents/create' },
        posterKey: { type: 'http', scheme: 'bearer', description: 'The key of POST /posters/create' },
        operatorKey: { type: 'http', scheme: 'bearer', description: "The operator's key" },
      },
      headers: HEADERS,
      schemas: components,
    },
  };
}

function describe(spec: OperationSpec, components: Json): Json {
  const parameters = [
    ...parametersOf(spec.params, 'path', components),
    ...parametersOf(spec.query, 'query', components),
    ...parametersOf(spec.headers, 'header', components),
    ...(spec.paid ? paymentHeaders : []),
  ];
  return {
    operationId: spec.id,
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    tags: [spec.tag],
    security: spec.auth === 'public' ? [] : [{ [`${spec.auth}Key`]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body
      ? {
          requestBody: {
            required: !spec.body.safeParse(undefined).success,
            content: json(schemaOf(spec.body, 'input', components)),
          },
        }
      : {}),
    responses: responsesOf(spec, components),
  };
}

const paymentHeaders: Json[] = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description: 'x402 version 2 payment, base64 JSON',
    schema: { type: 'string' },
  },
  {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'x402 version 1 payment, base64 JSON',
    schema: { type: 'string' },
  },
];

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query' | 'header', components: Json): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name: place === 'header' ? name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: property,
  }));
}

function responsesOf(spec: OperationSpec, components: Json): Json {
  const limits = spec.limits?.length ? LIMITS : [];
  const receipts = spec.paid ? RECEIPTS : [];
  const success = {
    description: spec.summary,
    headers: headersOf([...limits, ...receipts]),
    content: successContent(spec, components),
  };
  const responses: Record<string, Json> = { [spec.status]: success };
  if (spec.otherStatus)
    responses[spec.otherStatus] = { ...success, description: 'The same, where there was one already' };
  for (const [status, codes] of codesByStatus(spec)) {
    const failure = status === 402 ? 'PaymentRequired' : 'Failure';
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headersOf([...(status < 500 ? limits : []), ...(FAILURE_HEADERS[status] ?? [])]),
      content: json({ allOf: [{ $ref: `#/components/schemas/${failure}` }, codeSchema(codes)] }),
    };
  }
  return responses;
}

function headersOf(names: string[]): Json {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successContent(spec: OperationSpec, components: Json): Json {
  if (spec.contentType) return { [spec.contentType]: { schema: { type: 'string' } } };
  return json({
    type: 'object',
    properties: {
      success: { const: true },
      data: schemaOf(spec.output, 'output', components),
      error: { type: 'null' },
    },
    required: ['success', 'data', 'error'],
  });
}

function codesByStatus(spec: OperationSpec): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(spec)) {
    const more = code === 'VALIDATION_ERROR' && !spec.body ? [] : (MORE_STATUSES[code] ?? []);
    for (const status of [errorStatus[code], ...more]) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].toSorted(([a], [b]) => a - b);
}

function codeSchema(codes: ErrorCode[]): Json {
  return { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } };
}

function failureSchema(): Json {
  return {
    type: 'object',
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          details: {
            type: 'array',
            items: {
              type: 'object',
              properties: { field: { type: 'string' }, message: { type: 'string' } },
              required: ['field', 'message'],
            },
          },
          request_id: { type: 'string' },
        },
        required: ['code', 'message', 'request_id'],
      },
    },
    required: ['success', 'error'],
  };
}

function paymentRequiredSchema(): Json {
  return {
    allOf: [{ $ref: '#/components/schemas/Failure' }],
    type: 'object',
    description: 'The same requirements in version 2 stand in the `PAYMENT-REQUIRED` header.',
    properties: {
      x402Version: { const: 1 },
      accepts: { type: 'array', items: { type: 'object' }, description: 'x402 version 1 payment requirements' },
    },
    required: ['x402Version', 'accepts'],
  };
}

/** A zod schema as JSON Schema; what has an id of its own is moved to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _, $defs, ...body } = z.toJSONSchema(schema, { io, override: tidy }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rooted(definition);
  return rooted(body);
}

/** `id` has become the component's name, and every integer is a safe one. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** References as they read from the document's root. */
function rooted<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => rooted<unknown>(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' ? String(item).replace('#/$defs/', '#/components/schemas/') : rooted<unknown>(item),
    ]),
  ) as T;
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}
