import { z } from 'zod';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { openApiDocument } from '../../../server/http/openapi/openapi.ts';
import type { ParsedJson } from './parsed-json.ts';

/** A complete answer of the API: status, headers, and body. */
export type ApiAnswer = {
  status: number;
  headers: Headers;
  body: ParsedJson;
};

type Schema = Record<string, unknown>;
type Content = { content: Record<string, { schema: Schema }> };
/** Refusals refer to a component, and their description lists the codes. */
type Response = Partial<Content> & { $ref?: string; description: string };
export type Described = { operationId: string; responses: Record<string, Response> };
export type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, Record<string, { requestBody: Content }>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
};

/** Returns the OpenAPI document of one operation. Building the whole document would slow down most test files. */
export function documentOf(spec: OperationSpec): Document {
  return openApiDocument({ specs: [spec], publicUrl: '', serviceName: 'concours', version: '' }) as Document;
}

/** Returns what a document says about an operation. */
export function describedIn(
  { paths }: Pick<Document, 'paths'>,
  { path, method }: OperationSpec,
): Described | undefined {
  return paths[`/api/v1${path}`]?.[method];
}

/** Returns a schema of the document, together with the components that it refers to, as one JSON Schema in text. */
function standalone(schema: Schema, components: Record<string, Schema>): string {
  const $defs: Record<string, Schema> = {};
  const collect = (part: Schema) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const component = components[name];
      if (name in $defs || !component) continue;
      $defs[name] = component;
      collect(component);
    }
  };
  collect(schema);
  return JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/');
}

/** Creates a function that checks answers against the OpenAPI document, as a client in another language reads it. */
export function createAnswerReader() {
  const documents = new Map<OperationSpec, Document>();
  const known = new Map<string, z.ZodType>();
  // Many operations describe the same failure.
  const byText = new Map<string, z.ZodType>();

  function schemaOf(spec: OperationSpec, status: number): z.ZodType | undefined {
    const key = `${spec.id} ${status}`;
    const ready = known.get(key);
    if (ready) return ready;
    const document = documents.get(spec) ?? documentOf(spec);
    documents.set(spec, document);
    const answer = describedIn(document, spec)?.responses[status];
    const { content } = document.components.responses[answer?.$ref?.split('/').at(-1) ?? ''] ?? answer ?? {};
    const schema = content?.['application/json']?.schema;
    if (!schema) return undefined;
    const text = standalone(schema, document.components.schemas);
    const made = byText.get(text) ?? z.fromJSONSchema(JSON.parse(text) as z.core.JSONSchema.JSONSchema);
    byText.set(text, made);
    known.set(key, made);
    return made;
  }

  /** Returns what is wrong with the answer, or null. */
  return (spec: OperationSpec, { status, body }: ApiAnswer): string | null => {
    const schema = schemaOf(spec, status);
    if (!schema) return `status ${status} is not in the document`;
    const code = status >= 400 ? String(body['error']['code']) : null;
    const codes = describedIn(documents.get(spec)!, spec)?.responses[status]?.description;
    if (code !== null && !codes?.includes(`\`${code}\``)) return `${code} is not in the document for status ${status}`;
    // Most schemas check few answers. Compiling them would take longer.
    const { error } = schema.safeParse(body, { jitless: true });
    return error ? z.prettifyError(error) : null;
  };
}
