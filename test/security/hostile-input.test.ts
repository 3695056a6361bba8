import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { z } from 'zod';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { operations } from '../../contract/operations.ts';
import { call } from '../support/clients/client.ts';
import { everyOperation, operationOf } from '../support/clients/check-answer.ts';
import { anyCharacter } from '../support/any-character.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { callOperation, keyFor, newKeys, pathOf } from '../support/clients/requests.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url } = world;
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

const send = (spec: OperationSpec, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  callOperation(url, spec, {
    ...keyFor(spec, keys),
    raw,
    headers,
    ...(params[spec.id] ? { params: params[spec.id]! } : {}),
  });

/** Text with special characters, and any other text. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '\u202e', "'; drop table agents; --", '<script>', '../..', '__proto__'),
  fc.constantFrom('constructor', '0', '-1', '1e400', 'NaN', 'null', '٣', 'logo-design', '2099-01-01', 'https://['),
  fc.constantFrom('\ufeff', 'x'.repeat(12_000)),
);
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, -0, 1e308, 2 ** 53 + 2));
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 8 }),
  fc.dictionary(text, scalar, { maxKeys: 4 }),
  fc.jsonValue(),
);

/** Creates bodies with the operation's own members, some with valid values and some without. */
function bodiesOf(spec: OperationSpec): fc.Arbitrary<unknown> {
  const good: Record<string, unknown> = {
    ...brief(),
    agent_name: 'Ada',
    poster_name: 'Studio',
    fileName: 'a.png',
    fileType: 'image/png',
    fileSize: 100,
    description: 'A description that is long enough.',
  };
  const members = Object.keys(shapeOf(spec.body!));
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
  // A body that happens to be valid must not act for the operator, because other tests share the service.
  for (const spec of withBody.filter(({ auth, body }) => auth !== 'operator' && Object.keys(shapeOf(body!)).length > 0))
    it(`is accepted or refused by ${spec.id}, and never causes a fault`, async () => {
      await fc.assert(
        fc.asyncProperty(bodiesOf(spec), async (body) => {
          const answer = await send(spec, JSON.stringify(body) ?? 'null');
          assert.ok(answer.status < 500, JSON.stringify(answer.body));
        }),
        { numRuns: 12 },
      );
    });
});

describe('any query', () => {
  it('is a search or refused', async () => {
    const names = Object.keys(shapeOf(operations.searchProjects.query));
    const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), fc.oneof(text, fc.nat().map(String))), {
      maxLength: 6,
    });
    const encode = (part: string) => encodeURIComponent(part.toWellFormed());
    await fc.assert(
      fc.asyncProperty(pairs, async (given) => {
        const query = given
          .map((pair) => pair.map(encode).join('='))
          .join('&')
          .slice(0, 6000);
        const { status } = await call(url, 'GET', `/agents/projects?${query}`, { key: keys.agent });
        assert.ok(status === 200 || status === 400, `${status} ${query}`);
      }),
      { numRuns: 100 },
    );
  });

  it('in invalid UTF-8 is read with replacement characters, without a fault', async () => {
    const search = (query: string) => call(url, 'GET', `/agents/projects?${query}`, { key: keys.agent });
    for (const query of [
      'specializations=%ff%fe',
      'cursor=%c0%af',
      'status=%',
      '&&==&',
      '?',
      `status=${'a,'.repeat(2500)}`,
    ])
      assert.ok([200, 400].includes((await search(query)).status), query);
    codeIs(await search('specializations=logo%00'), 400, 'INVALID_PARAMETER', /NUL/);
  });
});

describe('an invalid body', () => {
  it('is one in another encoding, for operations of every kind', async () => {
    // authorization.test.ts sends a malformed body to every operation, and parsing.test.ts knows every fault.
    const kinds = Map.groupBy(withBody, ({ auth, paid }) => `${auth} ${paid !== undefined}`);
    for (const [spec] of kinds.values()) {
      assert.ok(spec);
      const zipped = await send(spec, new Uint8Array(gzipSync('{}')), { 'content-encoding': 'gzip' });
      codeIs(zipped, 415, 'VALIDATION_ERROR', /Content-Encoding: not supported/);
    }
  });

  it('is ignored where the operation takes no body', async () => {
    const { key } = await registerAgent(url);
    const answer = await call(url, 'DELETE', `/agents/projects/${free.id}/intent`, { key, raw: '{{{' });
    codeIs(answer, 404, 'SUBMISSION_NOT_FOUND');
    const removed = await call(url, 'DELETE', `/posters/me/projects/${draft}`, {
      key: keys.poster,
      raw: 'x'.repeat(200_000),
    });
    assert.equal(removed.status, 200);
  });
});

describe('an unknown operation', () => {
  const isFirstOfPath = ({ path }: OperationSpec, index: number) =>
    everyOperation.findIndex((spec) => spec.path === path) === index;

  it('is NOT_FOUND by its path, and 405 by its method, with or without a key', async () => {
    const paths = [
      '/',
      '/agents',
      '/agents/me/',
      '/agents//me',
      '/Agents/me',
      '/%2e%2e/etc/passwd',
      '/agents/me%2Fkeys',
    ];
    for (const path of paths)
      for (const key of [keys.agent, undefined])
        codeIs(await call(url, 'GET', path, key ? { key } : {}), 404, 'NOT_FOUND');
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const spec of everyOperation.filter(isFirstOfPath)) {
      const method = methods.find((each) => !operationOf(each, spec.path));
      assert.ok(method, spec.path);
      const refused = await call(url, method, pathOf(spec));
      codeIs(refused, 405, 'NOT_FOUND');
      assert.ok(refused.headers.get('allow')?.split(', ').includes(spec.method.toUpperCase()), spec.id);
    }
  });

  it('is not HEAD, which answers as GET without a body', async () => {
    const head = (headers: Record<string, string>) => fetch(`${url}/api/v1/agents/me`, { method: 'HEAD', headers });
    const response = await head({ authorization: `Bearer ${keys.agent}` });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    assert.ok(response.headers.has('x-ratelimit-remaining') && response.headers.has('x-request-id'));
    assert.equal((await head({})).status, 401);
  });
});
