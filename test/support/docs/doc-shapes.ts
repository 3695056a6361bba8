import { everyOperation } from '../clients/check-answer.ts';
import { documentOf } from '../clients/api-document.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';

// Compares the examples of the documents with the contract. An example shortens texts and leaves members out, with `…`.

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type Components = Record<string, Schema>;

/** Returns the operation of a request line such as `GET /agents/projects?status=open`, with its query. */
export function operationOf(line: string): { spec: OperationSpec; query: URLSearchParams } | null {
  const [, method = '', path = '', query = ''] = /^(\w+) ([^?\s]+)(?:\?(\S+))?$/.exec(line) ?? [];
  // A guide may call a parameter by a shorter name.
  const shape = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  const spec = everyOperation.find((each) => each.method === method.toLowerCase() && shape(each.path) === shape(path));
  return spec ? { spec, query: new URLSearchParams(query) } : null;
}

/** Returns what an answer of the example has and the contract has not, and the reverse. `status`: of the answer. */
export function flawsOfAnswer(spec: OperationSpec, status: number, answer: unknown): string[] {
  const document = documentOf(spec);
  const schema = document.paths[spec.path]?.[spec.method]?.responses[status]?.content['application/json']?.schema;
  return schema ? flawsOf(answer, schema, document.components.schemas) : [`no ${status}`];
}

/**
 * Returns what a value has and its schema has not, and the members that it lacks without saying so by `…`, each with its
 * place.
 */
function flawsOf(value: unknown, schema: Schema, components: Components, place = ''): string[] {
  const [, name = ''] = /schemas\/(.+)$/.exec(schema.$ref ?? '') ?? [];
  if (name) return flawsOf(value, components[name] ?? {}, components, place);
  if (schema.allOf) {
    // Each part knows some of the members.
    const { allOf, ...rest } = schema;
    const parts = [...allOf, ...(rest.properties ? [rest] : [])].map((part) => flawsOf(value, part, components, place));
    return (parts[0] ?? []).filter((flaw) => parts.every((part) => part.includes(flaw)));
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const tries = variants.map((variant) => flawsOf(value, variant, components, place));
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (typeof value === 'string' && value.includes('…')) return [];
  if (schema.const !== undefined && value !== schema.const) return [`${place} is not ${JSON.stringify(schema.const)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${place} is none of ${schema.enum.join(', ')}`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.includes(typeOf(value, types))) return [`${place} is no ${types.join(' or ')}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => flawsOf(item, schema.items ?? {}, components, `${place}[${index}]`));
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  const missing =
    '…' in value
      ? []
      : (schema.required ?? []).filter((key) => !(key in value)).map((key) => `${place}.${key} is missing`);
  return missing.concat(
    Object.entries(value).flatMap(([key, member]) => {
      if (key === '…') return [];
      const known = schema.properties?.[key];
      return known ? flawsOf(member, known, components, `${place}.${key}`) : [`${place}.${key} is unknown`];
    }),
  );
}

function typeOf(value: unknown, types: string[]): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value) && types.includes('integer')) return 'integer';
  return typeof value;
}
