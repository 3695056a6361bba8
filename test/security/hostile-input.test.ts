import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { z } from 'zod';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { operations } from '../../contract/operations.ts';
import { call } from '../support/clients/client.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const MANY = '10000000';
const world = await startWorld({
  env: {
    LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY,
    LIMIT_AGENT_READS_PER_MINUTE: MANY,
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
    LIMIT_POSTER_PER_MINUTE: MANY,
    LIMIT_WEBHOOK_TESTS_PER_HOUR: MANY,
  },
});
const { url, service, errors } = world;
const { db } = service.deps;
const keys = await newKeys(world);
const free = await openProject(world, { entryFeeUsdc: 0 });
const entry = await createIntent(url, keys.agent, free.id);
const draft = expectStatus(await call(url, 'POST', '/posters/me/projects', { key: keys.poster, body: brief() }), 201)
  .body.data.project.id as string;

/** Path parameters of existing resources, so that the service checks the body. */
const params: Record<string, Record<string, string>> = {
  createIntent: { project_id: free.id },
  requestUpload: { project_id: free.id, submission_id: entry.id },
  updateProject: { project_id: draft },
};
const withBody = everyOperation.filter(({ body }) => body);

afterEach(() => {
  assert.deepEqual(errors, []);
});

const send = (spec: OperationSpec, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  callOperation(url, spec, {
    ...keyFor(spec, keys),
    raw,
    headers,
    ...(params[spec.id] ? { params: params[spec.id]! } : {}),
  });

/** Text with special characters, and any other text. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    "'; drop table agents; --",
    '<script>',
    '${7*7}',
    '../..',
    '__proto__',
    'constructor',
    '0',
    '-1',
    '1e400',
    'NaN',
    'null',
    '٣',
    'logo-design',
    '2099-01-01',
    'https://[',
    '\ufeff',
    'x'.repeat(12_000),
  ),
);
const scalar = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, -0, 1e308, Number.MAX_SAFE_INTEGER + 2, 0.1 + 0.2),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 8 }),
  fc.dictionary(text, scalar, { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Creates bodies with the operation's own members, some with valid values and some without. */
function bodiesOf(spec: OperationSpec): fc.Arbitrary<unknown> {
  const members = Object.keys(shapeOf(spec.body!));
  const good: Record<string, unknown> = {
    ...brief(),
    agent_name: 'Ada',
    poster_name: 'Studio',
    fileName: 'a.png',
    fileType: 'image/png',
    fileSize: 100,
    description: 'A description that is long enough.',
  };
  const record = Object.fromEntries(members.map((name) => [name, fc.oneof(value, fc.constant(good[name]))]));
  return fc.oneof(
    fc.record(record, { requiredKeys: [] }),
    fc.tuple(fc.record(record), fc.dictionary(text, value)).map(([own, other]) => ({ ...other, ...own })),
    fc.jsonValue(),
  );
}

function shapeOf(schema: z.ZodType): Record<string, unknown> {
  const { innerType, in: piped } = schema.def as { innerType?: z.ZodType; in?: z.ZodType };
  if ('shape' in schema) return schema.shape as Record<string, unknown>;
  return innerType || piped ? shapeOf((innerType ?? piped)!) : {};
}

describe('any JSON value', () => {
  for (const spec of withBody) {
    it(`is accepted or refused by ${spec.id}, and never causes a fault`, async () => {
      assert.ok(Object.keys(shapeOf(spec.body!)).length > 0);
      const seen = new Set<number>();
      await fc.assert(
        fc.asyncProperty(bodiesOf(spec), async (body) => {
          const answer = await send(spec, JSON.stringify(body) ?? 'null');
          seen.add(answer.status);
          // A rotated key and a canceled draft cannot be used again, so the next run gets new ones.
          if (spec.id === 'rotateKey' && answer.status === 200) keys.agent = answer.body.data.apiKey;
          assert.ok(answer.status < 500, JSON.stringify(answer.body));
        }),
        { numRuns: 80 },
      );
      assert.ok(seen.has(400));
    });
  }

  it('stored nothing partially', async () => {
    const half = await db`
      select 'agent without a key' as what from agents a where not exists (select from agent_keys k where k.agent_id = a.id)
      union all select 'poster without a key' from posters p where not exists (select from poster_keys k where k.poster_id = p.id)
      union all select 'draft with a trace of opening' from projects where status = 'draft' and published_at is not null
      union all select 'listing of what is not open' from project_listings l join projects p on p.id = l.project_id where p.status = 'draft'
      union all select 'file of nobody' from media_files m where not exists (select from submissions s where s.id = m.submission_id)`;
    assert.deepEqual([...half], []);
  });
});

describe('any query', () => {
  const names = Object.keys(shapeOf(operations.searchProjects.query));
  it('is a search or refused', async () => {
    const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), fc.oneof(text, fc.nat().map(String))), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(pairs, async (given) => {
        const query = given
          .map(([name, one]) => `${encode(name)}=${encode(one)}`)
          .join('&')
          .slice(0, 6000);
        const answer = await call(url, 'GET', `/agents/projects?${query}`, { key: keys.agent });
        assert.ok(answer.status === 200 || answer.status === 400, `${answer.status} ${query}`);
      }),
      { numRuns: 300 },
    );
  });

  it('in invalid UTF-8 is read with replacement characters, without a fault', async () => {
    for (const query of [
      'specializations=%ff%fe',
      'cursor=%c0%af',
      'status=%',
      'limit=%zz',
      '%',
      '&&==&',
      '=',
      '?',
      'specializations=%ed%a0%80',
      `specializations=${'a,'.repeat(2500)}`,
    ])
      assert.ok(
        [200, 400].includes((await call(url, 'GET', `/agents/projects?${query}`, { key: keys.agent })).status),
        query,
      );
    codeIs(
      await call(url, 'GET', '/agents/projects?specializations=logo%00', { key: keys.agent }),
      400,
      'INVALID_PARAMETER',
      /NUL/,
    );
  });
});

function encode(textPart: string): string {
  return encodeURIComponent(textPart.toWellFormed());
}

describe('an invalid body', () => {
  const nested = (levels: number) => `{"model_info":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  const refusals: [string, string | Uint8Array<ArrayBuffer>, number, RegExp][] = [
    ['of 65 KB', JSON.stringify({ title: 'x'.repeat(65 * 1024) }), 413, /body: at most 65536 bytes/],
    ['nested 21 levels deep', nested(20), 400, /body: nested deeper than 20 levels/],
    ['nested 10,000 levels deep', nested(10_000), 400, /body: nested deeper than 20 levels/],
    ['that is no JSON', 'title=Lighthouse', 400, /body: not valid JSON/],
    ['cut short', '{"title": "Light', 400, /body: not valid JSON/],
    ['with a NUL', '{"title": "a\\u0000b"}', 400, /title: a NUL character/],
    ['with a lone surrogate', '{"title": "\\ud83d"}', 400, /title: text with a lone surrogate/],
    ['with a key of a prototype', '{"__proto__": {"admin": true}}', 400, /body: the key __proto__/],
    ['in Latin-1', Buffer.from('{"title": "Grüße"}', 'latin1'), 400, /body: not valid UTF-8/],
    ['in UTF-16', Buffer.from('\ufeff{"title": "Light"}', 'utf16le'), 400, /body: not valid UTF-8/],
    ['with a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400, /body: not valid UTF-8/],
  ];
  for (const [name, raw, status, message] of refusals) {
    it(`${name} is refused by every operation`, async () => {
      for (const spec of withBody) codeIs(await send(spec, raw), status, 'VALIDATION_ERROR', message);
    });
  }

  it('of another type is 415', async () => {
    for (const spec of withBody)
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        '',
      ])
        codeIs(
          await send(spec, '{}', { 'content-type': type }),
          415,
          'VALIDATION_ERROR',
          /Content-Type: must be application\/json/,
        );
  });

  it('that is compressed is 415', async () => {
    for (const spec of withBody)
      codeIs(
        await send(spec, new Uint8Array(gzipSync('{}')), { 'content-encoding': 'gzip' }),
        415,
        'VALIDATION_ERROR',
        /Content-Encoding: not supported/,
      );
  });

  it('pollutes no prototype', async () => {
    await registerAgent(url, {
      model_info: { constructor: { prototype: { admin: true } }, toString: 'x', hasOwnProperty: 1 },
    });
    await send(operations.createIntent, '{"title": "Fine title", "constructor": {"prototype": {"polluted": 1}}}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal(({} as Record<string, unknown>)['admin'], undefined);
  });

  it('is ignored where the operation takes no body', async () => {
    const { key } = await registerAgent(url);
    const answer = await call(url, 'DELETE', `/agents/projects/${free.id}/intent`, { key, raw: '{{{' });
    codeIs(answer, 404, 'SUBMISSION_NOT_FOUND');
    assert.equal(
      (await call(url, 'DELETE', `/posters/me/projects/${draft}`, { key: keys.poster, raw: 'x'.repeat(200_000) }))
        .status,
      200,
    );
  });
});
