import type { z } from 'zod';
import { DomainError, type ErrorCode, type ErrorDetail, validationError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { ParsedInput } from '../../serve.ts';
import { type ReceivedBody, textFlaw } from './body.ts';

// A body can hold thousands of wrong fields; an answer names the first of them.
const MAX_DETAILS = 50;
const MAX_FIELD_LENGTH = 200;

export type RequestParts = {
  headers: Pick<Headers, 'get'>;
  params: Record<string, string>;
  url: string;
  body: ReceivedBody | null;
};

/**
 * Parses the parts of a request in a fixed order: headers, path parameters, query, body. A paid operation gets `readHeaders`
 * and `readBody` instead of headers and body, because it tells its price first.
 *
 * @throws DomainError VALIDATION_ERROR or INVALID_PARAMETER, which name the wrong fields
 */
export function parseInput(spec: OperationSpec, request: RequestParts): ParsedInput {
  const input: ParsedInput = {};
  const { headers } = spec;
  if (headers) {
    const readHeaders = () => parseFields(headers, headerValues(headers, request.headers));
    if (spec.paid) input.readHeaders = readHeaders;
    else input.headers = readHeaders();
  }
  if (spec.params) input.params = parseParameters(spec.params, request.params);
  if (spec.query) input.query = parseParameters(spec.query, queryValues(request.url));
  const { body: schema } = spec;
  const { body } = request;
  if (schema && body) {
    const readBody = () => parseFields(schema, body.parse());
    if (spec.paid) input.readBody = readBody;
    else input.body = readBody();
  }
  return input;
}

function headerValues(schema: z.ZodType, headers: RequestParts['headers']): Record<string, string> {
  const names = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) values[name] = value;
  }
  return values;
}

function queryValues(url: string): Record<string, string> {
  const values: Record<string, string> = {};
  const at = url.indexOf('?');
  for (const [name, value] of new URLSearchParams(at === -1 ? '' : url.slice(at))) {
    const flaw = textFlaw(name) ?? textFlaw(value);
    if (flaw) throw invalidParameter([{ field: 'query', message: flaw }]);
    if (Object.hasOwn(values, name))
      throw invalidParameter([{ field: shortened(name), message: 'given more than once' }]);
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  return values;
}

/** Parses the fields of a body. @throws DomainError VALIDATION_ERROR, which names the wrong fields */
export function parseFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw validationError(details(parsed.error.issues, value === undefined ? 'a JSON body is required' : undefined));
}

/**
 * Adds to a VALIDATION_ERROR of the schema the faults that only the server can find. Returns any other error as it is, and
 * the error of a body that is not JSON.
 */
export async function withFurtherFaults(
  error: unknown,
  body: ReceivedBody | null,
  furtherFaults: (body: unknown) => Promise<ErrorDetail[]> | undefined,
): Promise<unknown> {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR' || error.status !== 400) return error;
  const parsed = parsedOr(body, error);
  if (parsed === error) return error;
  const named = error.details ?? [];
  const found = (await furtherFaults(parsed)) ?? [];
  return validationError([...named, ...found.filter(({ field }) => named.every((known) => known.field !== field))]);
}

function parsedOr(body: ReceivedBody | null, otherwise: unknown): unknown {
  try {
    return body?.parse() ?? otherwise;
  } catch {
    return otherwise;
  }
}

function parseParameters(schema: z.ZodType, values: Record<string, string>): unknown {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const codes = new Set(parsed.error.issues.map((issue) => codeOf(issue)));
  const [code] = codes;
  // Report a comma-separated list as one parameter, whichever item is wrong.
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) }));
  const fields = details(issues);
  // INVALID_PARAMETER wins over the special codes of dates and ranges.
  if (!code || codes.size > 1) throw invalidParameter(fields);
  throw new DomainError(code, listed(fields), { details: fields });
}

/** Returns the error code that a custom issue names. */
function codeOf(issue: z.core.$ZodIssue): ErrorCode | undefined {
  return issue.code === 'custom' ? (issue.params?.['code'] as ErrorCode | undefined) : undefined;
}

function invalidParameter(fields: ErrorDetail[]): DomainError {
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: ${listed(fields)}`, { details: fields });
}

function listed(fields: ErrorDetail[]): string {
  return fields.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
}

function details(issues: z.core.$ZodIssue[], whole?: string): ErrorDetail[] {
  const fields = new Map<string, string>();
  for (const issue of issues) {
    for (const { field, message } of detailsOf(issue)) {
      if (!fields.has(field)) fields.set(field, field === 'body' && whole ? whole : message);
    }
  }
  const named = [...fields].slice(0, MAX_DETAILS).map(([field, message]) => ({ field: shortened(field), message }));
  const left = fields.size - named.length;
  return left > 0 ? [...named, { field: 'body', message: `${left} more wrong fields` }] : named;
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: field ? `${field}.${key}` : key, message: 'unknown field' }));
  }
  return [{ field: field || 'body', message: plain(issue) }];
}

/** The types of the validation library in plain words. */
const TYPE_NAMES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

/** Keeps the message that a schema gives, and replaces the library's own. */
function plain(issue: z.core.$ZodIssue): string {
  if (!/^Invalid (?:input|option): expected /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') {
    if (issue.message.endsWith('received undefined')) return 'required';
    return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.join(', ')}`;
  return issue.message;
}

/** Shortens a field name: the keys of a body are the client's own text, of any length. */
function shortened(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : `${field.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…`;
}
