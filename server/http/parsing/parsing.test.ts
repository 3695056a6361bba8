import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import { receiveBody, readBytes } from './body.ts';
import { createBytesInFlight } from './bytes-in-flight.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { parseInput } from './input.ts';

type Sent = { type?: string | null; length?: string; chunked?: boolean };

/** A socket's request, as the reader sees it: a stream with headers. */
function incoming({ type = 'application/json', length, chunked }: Sent): PassThrough & IncomingMessage {
  const headers = {
    ...(type === null ? {} : { 'content-type': type }),
    ...(length === undefined ? {} : { 'content-length': length }),
    ...(chunked ? { 'transfer-encoding': 'chunked' } : {}),
  };
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
}

async function parsed(bytes: string | Buffer, sent: Sent = {}): Promise<unknown> {
  const stream = incoming({ length: String(Buffer.byteLength(bytes)), ...sent });
  stream.end(bytes);
  return (await receiveBody(stream)).parse();
}

async function refused(bytes: string | Buffer, sent: Sent = {}): Promise<[number, string]> {
  const error = await parsed(bytes, sent).then(
    (value) => assert.fail(`accepted as ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DomainError);
  assert.equal(error.code, 'VALIDATION_ERROR');
  assert.match(error.message, /^Validation failed: [\w.-]+: /);
  return [error.status, error.details?.[0]?.message ?? ''];
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
type Parts = { headers?: Record<string, string>; params?: Record<string, string>; query?: string; body?: unknown };

function parse(spec: OperationSpec, { headers = {}, params = {}, query = '', body }: Parts) {
  const url = `http://localhost/api/v1/any${query}`;
  return parseInput(spec, { headers: new Headers(headers), params, url, body: { parse: () => body } });
}

function refusedInput(spec: OperationSpec, parts: Parts): DomainError {
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

describe('a JSON body', () => {
  it('is read whole, in one piece or many, with or without a byte order mark', async () => {
    assert.deepEqual(await parsed('{"a":["ä","🗼"]}'), { a: ['ä', '🗼'] });
    assert.deepEqual(await parsed(`\ufeff{"a":1}`), { a: 1 });
    const stream = incoming({ chunked: true });
    const receiving = receiveBody(stream);
    for (const byte of Buffer.from('{"a":"ä🗼"}')) stream.write(Buffer.of(byte));
    stream.end();
    assert.deepEqual((await receiving).parse(), { a: 'ä🗼' });
  });

  it('must have the type JSON, in UTF-8 only', async () => {
    for (const type of ['application/json', 'Application/JSON; Charset=UTF-8', 'application/json;charset="utf-8"'])
      assert.deepEqual(await parsed('{}', { type }), {});
    const others = ['', 'text/json', 'application/jsonp', 'application/json; charset=latin1', 'multipart/form-data'];
    for (const type of [null, ...others])
      assert.deepEqual(await refused('{}', { type }), [415, 'must be application/json'], String(type));
  });

  it('has at most 256 KB, with or without a declared length', async () => {
    const most = `"${'x'.repeat(256 * 1024 - 2)}"`;
    assert.equal(((await parsed(most)) as string).length, 256 * 1024 - 2);
    const tooLong = [413, 'at most 262144 bytes'];
    assert.deepEqual(await refused(`${most} `), tooLong);
    assert.deepEqual(await refused('{}', { length: '99999999999999999999' }), tooLong);
    const stream = incoming({ chunked: true });
    const receiving = receiveBody(stream);
    stream.write(Buffer.alloc(262_144, ' '));
    stream.write(' ');
    // The end never comes.
    assert.throws((await receiving).parse, { status: 413 });
  });

  it('is nested at most 20 levels deep', async () => {
    assert.ok(await parsed(nested(20)));
    assert.deepEqual(await parsed(`{"a":${nested(19)}}`), { a: JSON.parse(nested(19)) });
    assert.ok(await parsed(`${'['.repeat(20)}1${']'.repeat(20)}`));
    for (const levels of [21, 1000, 120_000])
      assert.deepEqual(await refused(nested(levels)), [400, 'nested deeper than 20 levels']);
  });

  it('has at most 5,000 values', async () => {
    const values = (count: number) => JSON.stringify({ of: Array.from({ length: count }, () => 0) });
    assert.ok(await parsed(values(4_999)));
    assert.deepEqual(await refused(values(5_000)), [400, 'at most 5000 values']);
    assert.deepEqual(await refused('{"a":[1e999]}'), [400, 'a number is too large']);
  });

  it('contains only storable text and safe keys', async () => {
    for (const text of ['"\\u0000"', '{"a\\u0000":1}', '["ok", {"deep": "\\u0000"}]'])
      assert.deepEqual(await refused(text), [400, 'a NUL character is not allowed']);
    for (const text of ['"\\ud800"', '{"\\udc00":1}', '[["\\udfff\\ud800"]]'])
      assert.deepEqual(await refused(text), [400, 'text with a lone surrogate is not allowed']);
    assert.deepEqual(await refused('{"a":{"__proto__":{"admin":true}}}'), [400, 'the key __proto__ is not allowed']);
    assert.deepEqual(await parsed('{"constructor":{"prototype":1}}'), { constructor: { prototype: 1 } });
  });

  it('must be valid JSON and UTF-8', async () => {
    for (const text of ['{', 'undefined', "{'a':1}", '{"a":1,}', '[1] [2]', 'NaN', '\u0000'])
      assert.deepEqual(await refused(text), [400, 'not valid JSON'], text);
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
    ])
      assert.deepEqual(await refused(Buffer.from(bytes)), [400, 'not valid UTF-8']);
  });

  it('times out when it does not arrive, and is refused when cut short', async () => {
    const slow = incoming({ length: '10' });
    slow.write('{');
    const late = await receiveBody(slow, 20);
    assert.throws(late.parse, { status: 408, message: 'Validation failed: body: the body did not arrive in time' });
    assert.equal(slow.listenerCount('data'), 0);

    const cut = incoming({ length: '10' });
    const receiving = receiveBody(cut);
    cut.write('{');
    cut.destroy(new Error('ECONNRESET'));
    assert.throws((await receiving).parse, { status: 400, message: /could not be read/ });
  });
});

it('bounds the bytes of all bodies that arrive at a time: the one that takes longest makes room', async () => {
  const bodies = createBytesInFlight(10);
  const [slow, other] = [incoming({ length: '8' }), incoming({ length: '8' })];
  const [givenUp, reading] = [slow, other].map((each) => readBytes(each, 1_000, 100, { bodies }));
  const noRoom = assert.rejects(givenUp!, { status: 503 });
  slow.write('123456');
  other.write('123456');
  await noRoom;
  other.end('78');
  assert.equal((await reading!).toString(), '12345678');
  const large = incoming({ length: '12' });
  large.end('123456789012');
  await assert.rejects(readBytes(large, 1_000, 100, { bodies }), { status: 503 });
});

describe('input', () => {
  it('names every wrong field and what it accepts', () => {
    const error = refusedInput(createAgent, { body: { agent_name: 5, description: 'short', model_info: [] } });
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
    const error = refusedInput(updateProject, { params, body: { title: 'A title', x: 1, [`y${'é'.repeat(500)}`]: 2 } });
    assert.deepEqual(
      error.details?.map(({ field, message }) => [field.slice(0, 3), field.length, message]),
      [
        ['x', 1, 'unknown field'],
        ['yéé', 201, 'unknown field'],
      ],
    );
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
    const long = refusedInput(updateProject, { params, body: { title: 'A title', ...many } });
    assert.equal(long.details?.length, 51);
    assert.deepEqual(long.details?.at(-1), { field: 'body', message: '4950 more wrong fields' });
  });

  it('refuses repeated query parameters, and text that PostgreSQL cannot store', () => {
    for (const query of ['?limit=1&limit=1', '?limit=1&lim%69t=2', '?__proto__=1&__proto__=2', '?a&a'])
      assert.match(refusedInput(searchProjects, { query }).message, /given more than once/, query);
    assert.deepEqual(refusedInput(searchProjects, { query: '?specializations=a%00b' }).details, [
      { field: 'query', message: 'a NUL character is not allowed' },
    ]);
    assert.equal(refusedInput(searchProjects, { query: '?a%00=1' }).code, 'INVALID_PARAMETER');
  });

  it('uses the special code of an issue only when nothing else is wrong', () => {
    assert.equal(refusedInput(searchProjects, { query: '?created_after=never' }).code, 'INVALID_DATE');
    for (const [least, most] of [
      [2, 1],
      [2e10, 1e10],
      ['9e99', '8e99'],
    ])
      assert.equal(
        refusedInput(searchProjects, { query: `?min_entry_fee=${least}&max_entry_fee=${most}` }).code,
        'INVALID_RANGE',
      );
    const both = refusedInput(searchProjects, { query: '?created_after=never&limit=51' });
    assert.equal(both.code, 'INVALID_PARAMETER');
    assert.deepEqual(
      both.details?.map(({ field }) => field),
      ['created_after', 'limit'],
    );
  });

  it('leaves headers and body of a paid operation until after the payment', () => {
    const params = { project_id, submission_id: project_id };
    const input = parse(requestUpload, {
      params,
      headers: { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' },
      body: { fileName: 5 },
    });
    assert.equal('headers' in input || 'body' in input, false);
    assert.deepEqual(input.readHeaders?.(), { 'x-forwarded-for': '203.0.113.7' });
    assert.throws(() => input.readBody?.(), {
      code: 'VALIDATION_ERROR',
      message: /fileName: .+fileType: .+fileSize: required/,
    });
  });
});
