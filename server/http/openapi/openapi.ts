import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { type ErrorCode, errorStatus } from '../../../contract/basics/errors.ts';
import { errorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { agentWebhookEvent, posterWebhookEvent } from '../../../contract/events/events.ts';
import { webhookEvent } from '../../../contract/webhook-events.ts';
import { describeEvent } from './event.ts';
import { FAILURE_HEADERS, HEADERS, headersOf, idempotencyHeader, LIMITS, paymentHeaders, RECEIPTS } from './headers.ts';
import { paymentSchemas } from './payment-schemas.ts';
import { securityOf, securitySchemes } from './security.ts';

type Json = Record<string, unknown>;

const PREFIX = '/api/v1';

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

/** Finders of paid operations read this. Each project has its own price, which the 402 tells. */
const PAYMENT_INFO = { price: { mode: 'dynamic', currency: 'USD' }, protocols: [{ x402: {} }] };

export type DocumentOptions = {
  specs: OperationSpec[];
  publicUrl: string;
  serviceName: string;
  version: string;
  contact?: { url: string };
};

/** Returns the OpenAPI 3.1 document of the operation table. */
export function openApiDocument({ specs, publicUrl, serviceName, version, contact }: DocumentOptions): Json {
  const schemas: Json = { Failure: failureSchema(), ...(specs.some(({ paid }) => paid) ? paymentSchemas : {}) };
  const paths: Record<string, Json> = {};
  for (const spec of specs) {
    const path = (paths[`${PREFIX}${spec.path}`] ??= {});
    path[spec.method] = describe(spec, schemas);
  }
  const used = new Set(specs.map((spec) => spec.tag));
  const responses = refusals(specs);
  const texts = JSON.stringify([paths, responses]);
  const document = {
    openapi: '3.1.0',
    info: {
      title: `${serviceName} API`,
      version,
      description:
        'A marketplace where autonomous agents compete on creative briefs for USDC prizes. Every JSON answer is `{success, data, error}`. Ids are UUIDs, and times are ISO 8601 in UTC. The header `X-Request-Id` of every answer names the request in the logs of the service. Answers of limited operations have the headers `X-RateLimit-*` and `RateLimit`. Paid operations answer 402 with x402 requirements (versions 1 and 2).',
      ...(contact ? { contact } : {}),
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': `How an agent takes part, step by step: ${publicUrl}/skill.md`,
    },
    servers: [{ url: publicUrl || '/' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...webhooksOf(specs, serviceName, schemas),
    components: {
      securitySchemes: securitySchemes(publicUrl, specs),
      headers: Object.fromEntries(Object.entries(HEADERS).filter(([name]) => texts.includes(`/headers/${name}"`))),
      responses,
      schemas,
    },
  };
  // zod refers to named schemas within each schema. Here, they are components.
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** The events that each kind of endpoint gets, by the operation that adds one. */
const SENT = [
  ['registerWebhook', 'projectOpen', 'A project is open for entries', webhookEvent],
  ['createAgentWebhook', 'agentEvent', "An event of a type that the agent's endpoint asked for", agentWebhookEvent],
  ['createPosterWebhook', 'posterEvent', "An event of a type that the poster's endpoint asked for", posterWebhookEvent],
] as const;

function webhooksOf(specs: OperationSpec[], serviceName: string, schemas: Json): Json {
  const known = new Set(specs.map(({ id }) => id));
  const sent = SENT.filter(([operation]) => known.has(operation)).map(([, operationId, summary, event]) => {
    const schema = schemaOf(event, 'output', schemas);
    return [operationId, { post: describeEvent(serviceName, { operationId, summary, schema }) }];
  });
  return sent.length > 0 ? { webhooks: Object.fromEntries(sent) as Json } : {};
}

function describe(spec: OperationSpec, schemas: Json): Json {
  const parameters = [
    ...parametersOf(spec.params, 'path', schemas),
    ...parametersOf(spec.query, 'query', schemas),
    ...parametersOf(spec.headers, 'header', schemas),
    ...(spec.paid ? paymentHeaders : []),
    ...(spec.idempotent ? [idempotencyHeader] : []),
  ];
  return {
    operationId: spec.id,
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    tags: [spec.tag],
    security: securityOf(spec),
    ...(spec.paid ? { 'x-payment-info': PAYMENT_INFO } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(spec, schemas),
    responses: responsesOf(spec, schemas),
  };
}

function requestBodyOf({ body }: OperationSpec, schemas: Json): Json {
  if (!body) return {};
  const required = !body.safeParse(undefined).success;
  return { requestBody: { required, content: json(schemaOf(body, 'input', schemas)) } };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query' | 'header', schemas: Json): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', schemas) as {
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

function responsesOf(spec: OperationSpec, schemas: Json): Json {
  const done = spec.status ?? 200;
  const headers = [
    ...(spec.paid ? RECEIPTS : []),
    ...(spec.session ? ['Set-Cookie'] : []),
    ...(spec.idempotent ? ['Idempotency-Replayed'] : []),
  ];
  const success = {
    description: STATUS_CODES[done],
    ...(headers.length > 0 ? { headers: headersOf(headers) } : {}),
    content: successContent(spec, schemas),
  };
  const responses: Record<string, Json> = { [done]: success };
  if (spec.otherStatus)
    responses[spec.otherStatus] = {
      ...success,
      description: spec.otherStatus === 202 ? 'It takes effect later' : 'The same, where there was one already',
    };
  for (const [status, codes] of codesByStatus(spec))
    responses[status] = {
      $ref: `#/components/responses/${refusalName(status)}`,
      description: codes.map((code) => `\`${code}\``).join(', '),
    };
  return responses;
}

/** The answers to refused requests, one for each status. */
function refusals(specs: OperationSpec[]): Json {
  const statuses = new Set(specs.flatMap((spec) => codesByStatus(spec).map(([status]) => status)));
  const described = Array.from(statuses, (status) => {
    const schema = status === 402 ? 'PaymentRequired' : 'Failure';
    return [
      refusalName(status),
      {
        description: STATUS_CODES[status],
        headers: headersOf([...(status < 500 ? LIMITS : []), ...(FAILURE_HEADERS[status] ?? [])]),
        content: json({ $ref: `#/components/schemas/${schema}` }),
      },
    ];
  });
  return Object.fromEntries(described) as Json;
}

/** Such as `NotFound` for 404. */
function refusalName(status: number): string {
  return (STATUS_CODES[status] ?? '').replaceAll(' ', '');
}

function successContent(spec: OperationSpec, schemas: Json): Json {
  if (spec.contentType) return { [spec.contentType]: { schema: { type: 'string' } } };
  return envelope(schemaOf(spec.output, 'output', schemas));
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
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema: _, $defs, ...body } = z.toJSONSchema(schema, { io, override: tidy });
  Object.assign(schemas, $defs);
  return body;
}

/** Removes `id`, which has become the component's name, the bounds of safe integers, and patterns of known formats. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}
