import assert from 'node:assert/strict';
import { type ErrorCode, errorStatus } from '../../../contract/basics/errors.ts';
import { errorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { type ApiAnswer, createAnswerReader } from './api-document.ts';

export const everyOperation: OperationSpec[] = Object.values(operations);
const patterns = everyOperation.map((spec) => ({
  spec,
  method: spec.method.toUpperCase(),
  pattern: new RegExp(`^${spec.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Returns the operation of a request, by its method and its path below `/api/v1`. */
export function operationOf(method: string, path: string): OperationSpec | undefined {
  const [bare = ''] = path.split('?');
  return patterns.find((one) => one.method === method && one.pattern.test(bare))?.spec;
}

// Statuses that a code can have besides its own. The decisions explain them under "Errors".
const otherStatuses: Partial<Record<ErrorCode, number[]>> = {
  VALIDATION_ERROR: [408, 413, 415, 431],
  INTERNAL_ERROR: [503],
  DATABASE_ERROR: [503],
  // The path takes other methods.
  NOT_FOUND: [405],
};

const flawByDocument = createAnswerReader();
// Statuses of requests that failed before the service could assign them to an operation.
const brokenStatuses = [431];

/**
 * Checks the rules for every answer of the API. Every test that calls the API uses it. An answer has the envelope and
 * the headers. Its status and code are listed for the operation. The OpenAPI document describes each of its members.
 */
export function checkAnswer(method: string, path: string, answer: ApiAnswer): void {
  const spec = operationOf(method, path);
  const { status, headers, body } = answer;
  const label = `${method} ${path} answered ${status}`;
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, `${label} without an id`);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', label);
  if ((spec?.auth === 'agent' || spec?.limits) && status < 500) checkLimitHeaders(headers, label);
  if (spec && !brokenStatuses.includes(status) && (status >= 400 || !spec.contentType)) {
    assert.equal(flawByDocument(spec, answer), null, label);
  }
  if (status < 400) checkSuccess(spec, answer, label);
  else checkFailure(spec, answer, label);
  assert.equal(
    headers.get('content-type'),
    typeof body === 'string' && spec?.contentType ? spec.contentType : 'application/json; charset=utf-8',
    label,
  );
}

function checkSuccess(spec: OperationSpec | undefined, { status, headers, body }: ApiAnswer, label: string): void {
  assert.ok(spec && (status === (spec.status ?? 200) || status === spec.otherStatus), label);
  if (spec.contentType) return;
  assert.deepEqual(Object.keys(body), ['success', 'data', 'error'], label);
  assert.deepEqual([body.success, body.error], [true, null], label);
  assert.equal(headers.get('cache-control'), 'no-store', label);
}

function checkFailure(spec: OperationSpec | undefined, { status, headers, body }: ApiAnswer, label: string): void {
  assert.equal(headers.get('cache-control'), 'no-store', label);
  const { success, error, ...rest } = body;
  assert.equal(success, false, label);
  const { code, message, details, request_id, ...more } = error;
  assert.deepEqual(more, {}, label);
  // The 402 of an entry fee says what the entry is worth. A 402 says when the authorization is used up.
  const about = spec?.id === 'requestUpload' && code === 'PAYMENT_REQUIRED' ? ['project'] : [];
  if (rest['authorization_failed'] === true && code === 'PAYMENT_FAILED') about.push('authorization_failed');
  assert.deepEqual(Object.keys(rest), status === 402 ? ['x402Version', 'accepts', ...about] : [], label);
  assert.ok(typeof message === 'string' && message.length > 0, label);
  assert.equal(request_id, headers.get('x-request-id'), label);
  for (const detail of details ?? []) assert.deepEqual(Object.keys(detail), ['field', 'message'], label);
  assert.ok(
    [errorStatus[code as ErrorCode], ...(otherStatuses[code as ErrorCode] ?? [])].includes(status),
    `${label} ${code}`,
  );
  if (spec) assert.ok(errorsOf(spec).includes(code), `${label} ${code}, which ${spec.id} does not list`);
  if (code === 'VALIDATION_ERROR') assert.match(message, /^Validation failed: /, label);
  assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null, label);
  if (status === 429 || status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, label);
}

function checkLimitHeaders(headers: Headers, label: string): void {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? NaN),
  );
  assert.ok(limit! >= 1 && remaining! >= 0 && remaining! <= limit!, `${label} with limits ${limit} ${remaining}`);
  assert.ok(Number.isInteger(reset) && reset! > 1_700_000_000, `${label} with reset ${reset}`);
  assert.match(
    headers.get('ratelimit-policy') ?? '',
    /^"\w+";q=\d+;w=(60|3600|86400)(, "\w+";q=\d+;w=(60|3600|86400))*$/,
    label,
  );
  assert.match(headers.get('ratelimit') ?? '', /^"\w+";r=\d+;t=\d+(, "\w+";r=\d+;t=\d+)*$/, label);
}
