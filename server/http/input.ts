import type { z } from 'zod';
import { DomainError, type ErrorCode, type ErrorDetail, validationError } from '../../contract/errors.ts';
import type { OperationSpec } from '../../contract/operation.ts';
import type { ParsedInput } from '../serve.ts';
import { type ReceivedBody, textFlaw } from './body.ts';

/** In the order of the decisions: required headers, path parameters, query, body. */
export function parseInput(
  spec: OperationSpec,
  request: { headers: Headers; params: Record<string, string>; search: URLSearchParams; body: ReceivedBody | null },
): ParsedInput {
  const input: ParsedInput = {};
  if (spec.headers) input.headers = parseFields(spec.headers, headerValues(spec.headers, request.headers));
  if (spec.params) input.params = parseParameters(spec.params, request.params);
  if (spec.query) input.query = parseParameters(spec.query, queryValues(request.search));
  const { body: schema } = spec;
  const { body } = request;
  if (schema && body) {
    const readBody = () => parseFields(schema, body.parse());
    if (spec.paid) input.readBody = readBody;
    else input.body = readBody();
  }
  return input;
}

function headerValues(schema: z.ZodType, headers: Headers): Record<string, string> {
  const names = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])));
}

function queryValues(search: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(values, name)) throw invalidParameter([{ field: name, message: 'given more than once' }]);
    const flaw = textFlaw(name) ?? textFlaw(value);
    if (flaw) throw invalidParameter([{ field: 'query', message: flaw }]);
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  return values;
}

function parseFields(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw validationError(details(parsed.error, value === undefined ? 'a JSON body is required' : undefined));
}

function parseParameters(schema: z.ZodType, values: Record<string, string>): unknown {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const coded = parsed.error.issues.find((issue) => issue.code === 'custom' && issue.params?.['code']);
  const code = (coded?.code === 'custom' ? coded.params?.['code'] : undefined) as ErrorCode | undefined;
  const fields = details(parsed.error);
  // A parameter that is simply wrong outweighs a date or a range that is.
  if (code && parsed.error.issues.every((issue) => issue.code === 'custom' && issue.params?.['code'] === code)) {
    throw new DomainError(code, listed(fields), { details: fields });
  }
  throw invalidParameter(fields);
}

function invalidParameter(fields: ErrorDetail[]): DomainError {
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: ${listed(fields)}`, { details: fields });
}

function listed(fields: ErrorDetail[]): string {
  return fields.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
}

function details(error: z.ZodError, whole?: string): ErrorDetail[] {
  const fields = new Map<string, string>();
  for (const issue of error.issues) {
    const field = issue.path.join('.') || 'body';
    const message = field === 'body' && whole ? whole : plain(issue);
    if (!fields.has(field)) fields.set(field, message);
  }
  return [...fields].map(([field, message]) => ({ field, message }));
}

function plain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.startsWith('Invalid input')) return 'required';
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`;
  return issue.message.replace(/^Invalid (input|option): expected /, 'expected ');
}
