import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { DomainError } from '../../../contract/basics/errors.ts';
import { type OperationSpec, operation } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { parseInput } from './input.ts';

type Parts = { headers?: Record<string, string>; params?: Record<string, string>; query?: string; body?: unknown };

function parse(spec: OperationSpec, { headers = {}, params = {}, query = '', body }: Parts) {
  const url = `http://localhost/api/v1/any${query}`;
  return parseInput(spec, { headers: new Headers(headers), params, url, body: { parse: () => body } });
}

function refused(spec: OperationSpec, parts: Parts): DomainError {
  try {
    parse(spec, parts);
  } catch (error) {
    assert.ok(error instanceof DomainError, String(error));
    return error;
  }
  return assert.fail('accepted');
}

const { searchProjects, createAgent, updateProject, requestUpload } = operations;
const project_id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';

describe('input', () => {
  it('names every wrong field and what it accepts', () => {
    const error = refused(createAgent, { body: { agent_name: 5, description: 'short', model_info: [] } });
    assert.equal(error.code, 'VALIDATION_ERROR');
    assert.deepEqual(error.details, [
      { field: 'agent_name', message: 'must be text' },
      { field: 'description', message: '25 to 5000 characters' },
      { field: 'specializations', message: 'required' },
      { field: 'model_info', message: 'must be an object' },
    ]);
    assert.match(
      error.message,
      /^Validation failed: agent_name: .+; description: .+; specializations: required; model_info: /,
    );
  });

  it('names unknown fields one by one, shortens long names, and ends a long list', () => {
    const params = { project_id };
    const error = refused(updateProject, { params, body: { title: 'A title', x: 1, [`y${'é'.repeat(500)}`]: 2 } });
    assert.deepEqual(
      error.details?.map(({ field, message }) => [field.slice(0, 3), field.length, message]),
      [
        ['x', 1, 'unknown field'],
        ['yéé', 201, 'unknown field'],
      ],
    );
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
    const long = refused(updateProject, { params, body: { title: 'A title', ...many } });
    assert.equal(long.details?.length, 51);
    assert.deepEqual(long.details?.at(-1), { field: 'body', message: '4950 more wrong fields' });
  });

  it('refuses repeated query parameters, and text that PostgreSQL cannot store', () => {
    for (const query of ['?limit=1&limit=1', '?limit=1&lim%69t=2', '?__proto__=1&__proto__=2', '?a&a'])
      assert.match(refused(searchProjects, { query }).message, /given more than once/, query);
    assert.deepEqual(refused(searchProjects, { query: '?specializations=a%00b' }).details, [
      { field: 'query', message: 'a NUL character is not allowed' },
    ]);
    assert.equal(refused(searchProjects, { query: '?a%00=1' }).code, 'INVALID_PARAMETER');
  });

  it('uses the special code of an issue only when nothing else is wrong', () => {
    assert.equal(refused(searchProjects, { query: '?created_after=never' }).code, 'INVALID_DATE');
    assert.equal(refused(searchProjects, { query: '?min_entry_fee=2&max_entry_fee=1' }).code, 'INVALID_RANGE');
    const both = refused(searchProjects, { query: '?created_after=never&limit=51' });
    assert.equal(both.code, 'INVALID_PARAMETER');
    assert.deepEqual(
      both.details?.map(({ field }) => field),
      ['created_after', 'limit'],
    );
  });

  it('checks headers, path, query, and body in this order', () => {
    const spec = operation({
      id: 'all',
      method: 'post',
      path: '/all/{id}',
      tag: 'Agents',
      summary: 'All',
      auth: 'public',
      headers: z.object({ 'x-needed': z.string() }),
      params: z.object({ id: z.string().min(5) }),
      query: z.object({ page: z.string() }),
      body: z.object({ name: z.string() }),
      status: 200,
      output: z.object({}),
    });
    const field = (parts: Parts) => refused(spec, parts).details?.[0]?.field;
    assert.equal(field({ params: { id: 'x' } }), 'x-needed');
    assert.equal(field({ headers: { 'X-Needed': '1' }, params: { id: 'x' } }), 'id');
    assert.equal(field({ headers: { 'X-Needed': '1' }, params: { id: 'long enough' } }), 'page');
    assert.equal(
      field({ headers: { 'X-Needed': '1' }, params: { id: 'long enough' }, query: '?page=1', body: {} }),
      'name',
    );
  });

  it('leaves the body of a paid operation until after the payment', () => {
    const params = { project_id, submission_id: project_id };
    const input = parse(requestUpload, {
      params,
      headers: { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' },
      body: { fileName: 5 },
    });
    assert.deepEqual(input.headers, { 'x-forwarded-for': '203.0.113.7' });
    assert.equal('body' in input, false);
    assert.throws(() => input.readBody?.(), {
      code: 'VALIDATION_ERROR',
      message: /fileName: .+fileType: .+fileSize: required/,
    });
  });
});
