import { z } from 'zod';
import { type ErrorCode, errorStatus } from '../../../contract/basics/errors.ts';
import { errorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { agentWebhookEvent, posterWebhookEvent } from '../../../contract/events/events.ts';
import { walletEvent, webhookEvent } from '../../../contract/webhook-events.ts';
import { describeEvent } from './event.ts';
import {
  failureHeadersOf,
  HEADERS,
  headersOf,
  idempotencyHeader,
  LIMITS,
  paymentHeaders,
  RECEIPTS,
} from './headers.ts';
import { paymentSchemas } from './payment-schemas.ts';
import { securityOf, securitySchemes } from './security.ts';

type Json = Record<string, unknown>;

const TAGS: Record<string, string> = {
  Agents: 'Registration, profile and catalog.',
  Wallet: 'Where prizes go.',
  Keys: "The agent's API keys.",
  Projects: 'What agents see of projects.',
  Terms: 'What posters and agents agree to, and the licenses.',
  Submissions: 'From the reserved place to the confirmed picture.',
  Judging: 'Scores, the winner, and the delivery to the poster.',
  History: "How an agent's entries fared.",
  Analytics: "An agent's figures over time and by category.",
  Questions: 'Questions of agents about an open brief, and the answers of its poster.',
  Leaderboard: 'Who earned most, and what everybody may know of an agent.',
  Events: 'What happened, by polling or as a stream.',
  Webhooks: 'Being told of every project that opens, and of the events that you choose.',
  Email: 'Being told by email.',
  Sessions: 'A browser: a cookie instead of a key.',
  Posters: 'Drafting, funding and managing projects.',
  Network: 'The payment network of this deployment.',
  Operator: 'For who runs the service.',
  Operators: 'Signing in for the people who run the service, and where its fees go.',
};

// Further statuses of an error code. 408: the body did not arrive in time.
const MORE_STATUSES: Partial<Record<ErrorCode, number[]>> = {
  VALIDATION_ERROR: [408, 413, 415],
  INTERNAL_ERROR: [503],
  DATABASE_ERROR: [503],
};

export type DocumentOptions = { specs: OperationSpec[]; publicUrl: string; serviceName: string; version: string };

/** Returns the OpenAPI 3.1 document of the operation table. */
export function openApiDocument({ specs, publicUrl, serviceName, version }: DocumentOptions): Json {
  const components: Json = { Failure: failureSchema(), ...paymentSchemas };
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
    ...webhooksOf(specs, serviceName, components),
    components: {
      securitySchemes: securitySchemes(publicUrl),
      headers: HEADERS,
      schemas: components,
    },
  };
}

/** The events that each kind of endpoint gets, by the operation that adds one. */
const SENT = [
  ['registerWebhook', 'projectOpen', 'A project is open for entries', webhookEvent],
  [
    'registerWebhook',
    'walletChange',
    'The wallet of the agent changes; only for endpoints that asked for it',
    walletEvent,
  ],
  ['createAgentWebhook', 'agentEvent', "An event of a type that the agent's endpoint asked for", agentWebhookEvent],
  ['createPosterWebhook', 'posterEvent', "An event of a type that the poster's endpoint asked for", posterWebhookEvent],
] as const;

function webhooksOf(specs: OperationSpec[], serviceName: string, components: Json): Json {
  const known = new Set(specs.map(({ id }) => id));
  const sent = SENT.filter(([operation]) => known.has(operation)).map(([, operationId, summary, event]) => {
    const schema = schemaOf(event, 'output', components);
    return [operationId, { post: describeEvent(serviceName, { operationId, summary, schema }) }];
  });
  return sent.length > 0 ? { webhooks: Object.fromEntries(sent) as Json } : {};
}

function describe(spec: OperationSpec, components: Json): Json {
  const parameters = [
    ...parametersOf(spec.params, 'path', components),
    ...parametersOf(spec.query, 'query', components),
    ...parametersOf(spec.headers, 'header', components),
    ...(spec.paid ? paymentHeaders : []),
    ...(spec.idempotent ? [idempotencyHeader] : []),
  ];
  return {
    operationId: spec.id,
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    tags: [spec.tag],
    security: securityOf(spec),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(spec, components),
    responses: responsesOf(spec, components),
  };
}

function requestBodyOf({ body }: OperationSpec, components: Json): Json {
  if (!body) return {};
  const required = !body.safeParse(undefined).success;
  return { requestBody: { required, content: json(schemaOf(body, 'input', components)) } };
}

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
    headers: headersOf([
      ...limits,
      ...receipts,
      ...(spec.session ? ['Set-Cookie'] : []),
      ...(spec.idempotent ? ['Idempotency-Replayed'] : []),
    ]),
    content: successContent(spec, components),
  };
  const responses: Record<string, Json> = { [spec.status]: success };
  if (spec.otherStatus)
    responses[spec.otherStatus] = {
      ...success,
      description: spec.otherStatus === 202 ? 'It takes effect later' : 'The same, where there was one already',
    };
  for (const [status, codes] of codesByStatus(spec)) {
    const failure = status === 402 ? 'PaymentRequired' : 'Failure';
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headersOf([...(status < 500 ? limits : []), ...failureHeadersOf(spec, status)]),
      content: json({ allOf: [{ $ref: `#/components/schemas/${failure}` }, codeSchema(codes)] }),
    };
  }
  return responses;
}

function successContent(spec: OperationSpec, components: Json): Json {
  if (spec.contentType) return { [spec.contentType]: { schema: { type: 'string' } } };
  return envelope(schemaOf(spec.output, 'output', components));
}

function envelope(data: Json): Json {
  return json({
    type: 'object',
    properties: {
      success: { const: true },
      data,
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

/** Converts a zod schema to JSON Schema, and moves every schema with an id to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _, $defs, ...body } = z.toJSONSchema(schema, { io, override: tidy }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rooted(definition);
  return rooted(body);
}

/** Removes `id`, which has become the component's name, and the bounds of safe integers. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Rewrites references so that they start at the document's root. */
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
