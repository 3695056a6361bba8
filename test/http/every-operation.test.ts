import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import type { ErrorCode } from '../../contract/basics/errors.ts';
import { credentialErrorsOf } from '../../contract/basics/operation.ts';
import { issueKey } from '../../server/keys/format.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { everyOperation, operationOf } from '../support/clients/check-answer.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { callOperation, goodBodies, keyFor, newKeys, parametersOf, pathOf } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

const many = {
  LIMIT_AGENT_OPERATIONS_PER_HOUR: '100000',
  LIMIT_AGENT_READS_PER_MINUTE: '100000',
  LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
  LIMIT_PREFLIGHTS_PER_HOUR: '100000',
  LIMIT_WEBHOOK_TESTS_PER_HOUR: '100000',
  LIMIT_PAYMENTS_PER_HOUR: '100000',
  LIMIT_POSTER_PER_MINUTE: '100000',
  // Without a mail server, contact addresses are refused before the database is asked. Nothing listens at this one.
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'market@example.com',
};

let fault: Error | null = null;

const failing = (db: World['db']) => failingDatabase(db, () => fault);

const world = await startWorld({
  env: many,
  wrap: ({ db, reads, views, searches, searchReads }) => ({
    db: failing(db),
    reads: failing(reads),
    views: failing(views),
    searches: failing(searches),
    searchReads: failing(searchReads),
  }),
});
const { url, service, clock, errors } = world;
const keys = await newKeys(world);
const asAskedFor = goodBodies(url);
const guarded = everyOperation.filter((spec) => spec.auth !== 'public');

function codeIs(answer: Answer, status: number, code: ErrorCode, message?: string | RegExp): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code]);
  if (message instanceof RegExp) assert.match(answer.body.error.message, message);
  else if (message) assert.equal(answer.body.error.message, message);
}

/** Returns keys that look valid and are not. */
function wrongKeys(kind: string): Record<string, string> {
  const { agent, poster } = keys;
  return {
    'of nobody': issueKey(kind === 'poster' ? 'cp_test' : 'ck_test', randomBytes).key,
    'of another network': issueKey(kind === 'poster' ? 'cp_live' : 'ck_live', randomBytes).key,
    'of another kind': kind === 'agent' ? poster : agent,
    'cut short': (kind === 'poster' ? poster : agent).slice(0, -1),
    'with a letter changed': (kind === 'poster' ? poster : agent).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    'of a known id with another secret': forged(kind === 'poster' ? poster : agent),
    'in another case': (kind === 'poster' ? poster : agent).toUpperCase(),
    malformed: "' or 1=1 --".replaceAll(' ', '+'),
    'of 5000 characters': 'k'.repeat(5000),
    'of a prototype': '__proto__',
  };
}

/** Returns a key with the right id, the right checksum, and a wrong secret. */
function forged(key: string): string {
  const [kind, network] = key.split('_') as [string, string];
  const other = issueKey(`${kind}_${network}` as 'ck_test', (size) => (size === 16 ? idBytes(key) : randomBytes(size)));
  assert.equal(other.key.slice(0, 30), key.slice(0, 30));
  return other.key;
}

function idBytes(key: string): Buffer {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let value = 0n;
  for (const digit of key.split('_')[2]!) value = value * 62n + BigInt(digits.indexOf(digit));
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

describe('every operation that takes a key', () => {
  for (const spec of guarded) {
    const { missing, invalid } = credentialErrorsOf(spec);
    it(`${spec.id} refuses a missing key with ${missing} and a wrong key with ${invalid}`, async () => {
      codeIs(await callOperation(url, spec), 401, missing, 'Authentication required');
      for (const authorization of [
        '',
        'Bearer',
        'Bearer ',
        `Basic ${keys.agent}`,
        keys[spec.auth as 'agent'],
        `Bearer ${keys.agent} ${keys.agent}`,
      ])
        codeIs(await callOperation(url, spec, { headers: { authorization } }), 401, missing);
      for (const key of Object.values(wrongKeys(spec.auth)))
        codeIs(await callOperation(url, spec, { key }), 401, invalid, 'Invalid API key');
    });
  }

  it('returns the codes of the specification', () => {
    const codes = Object.fromEntries(guarded.map((spec) => [spec.id, Object.values(credentialErrorsOf(spec))]));
    assert.deepEqual(codes['listSpecializations'], ['AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED']);
    assert.deepEqual(codes['getProject'], ['AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED']);
    assert.deepEqual(codes['requestUpload'], ['UNAUTHORIZED', 'UNAUTHORIZED']);
    assert.deepEqual(codes['confirmUpload'], ['UNAUTHORIZED', 'UNAUTHORIZED']);
    assert.deepEqual(codes['registerWebhook'], ['UNAUTHORIZED', 'UNAUTHORIZED']);
    for (const id of ['getMe', 'searchProjects', 'createIntent', 'rotateKey', 'draftProject', 'getLedger'])
      assert.deepEqual(codes[id], ['UNAUTHORIZED', 'INVALID_API_KEY'], id);
  });

  it('refuses a revoked key at once, and an expired one', async () => {
    const agent = await registerAgent(url);
    const rotated = await call(url, 'POST', '/agents/me/keys/rotate', { key: agent.key, body: { grace_seconds: 60 } });
    const { apiKey, keyId } = rotated.body.data;
    assert.equal((await call(url, 'GET', '/agents/me', { key: agent.key })).status, 200);
    clock.offsetMs += 61_000;
    codeIs(await call(url, 'GET', '/agents/me', { key: agent.key }), 401, 'INVALID_API_KEY');
    await call(url, 'DELETE', `/agents/me/keys/${keyId}`, { key: apiKey });
    for (const spec of guarded.filter(({ auth }) => auth === 'agent'))
      codeIs(await callOperation(url, spec, { key: apiKey }), 401, credentialErrorsOf(spec).invalid, 'Invalid API key');
  });

  it('reads the scheme in any case and with any number of spaces', async () => {
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   '])
      assert.equal(
        (await call(url, 'GET', '/agents/me', { headers: { authorization: `${scheme}${keys.agent}` } })).status,
        200,
      );
  });
});

describe("every operation of an agent, by the agent's status", () => {
  for (const status of ['suspended', 'limited', 'under_review'] as const) {
    it(status, async () => {
      const agent = await registerAgent(url);
      await service.deps.db`update agents set status = ${status} where id = ${agent.id}`;
      clock.offsetMs += 1000;
      for (const spec of guarded.filter(({ auth }) => auth === 'agent')) {
        const { error } = (await callOperation(url, spec, { key: agent.key, ...(spec.body ? { body: {} } : {}) })).body;
        const allowed = spec.standing === 'any' || (status !== 'suspended' && spec.standing !== 'active');
        const code = status === 'suspended' ? 'AGENT_SUSPENDED' : 'AGENT_RESTRICTED';
        assert.equal(error?.code === code, !allowed, `${spec.id}: ${error?.code}`);
        // The key that tried the revocation and the key that was rotated now differ.
        if (spec.id === 'rotateKey' && allowed) break;
      }
    });
  }
});

describe('every operation with invalid input', () => {
  for (const spec of everyOperation.filter((each) => parametersOf(each).length > 0)) {
    it(`${spec.id} answers a malformed id with INVALID_PARAMETER`, async () => {
      const hostile = [
        '1',
        'x'.repeat(36),
        '00000000-0000-0000-0000-00000000000g',
        "1'%20or%20'1'='1",
        '%00',
        '%F0%9F%97%BC',
        '..%2F..',
        '__proto__',
      ];
      for (const name of parametersOf(spec)) {
        for (const value of hostile) {
          if (name === 'version' && value === '1') continue;
          const answer = await callOperation(url, spec, { ...keyFor(spec, keys), params: { [name]: value } });
          codeIs(answer, 400, 'INVALID_PARAMETER', new RegExp(`^Invalid parameter: ${name}: `));
        }
      }
    });
  }

  for (const spec of everyOperation.filter((each) => each.body && !each.paid)) {
    it(`${spec.id} answers an invalid body with VALIDATION_ERROR`, async () => {
      // Some clients send `null` where the body is optional.
      const nothing = spec.body?.safeParse(null).success ? [] : ['null'];
      const bodies = ['[]', ...nothing, '"text"', '1', '{', '{"a":1}}', '\u0000'];
      for (const raw of bodies) {
        const answer = await callOperation(url, spec, { ...keyFor(spec, keys), raw });
        codeIs(answer, 400, 'VALIDATION_ERROR', /^Validation failed: body: /);
        assert.ok(answer.body.error.details.length > 0);
      }
    });
  }

  it('a paid operation checks its body only after the payment', async () => {
    const spec = everyOperation.find(({ id }) => id === 'requestUpload')!;
    for (const raw of ['{', 'x'.repeat(70_000), '{"a":{"__proto__":1}}'])
      codeIs(await callOperation(url, spec, { key: keys.agent, raw }), 404, 'PROJECT_NOT_FOUND');
  });
});

describe('every operation while the database fails', () => {
  afterEach(() => {
    fault = null;
  });

  const failures = {
    'does not answer': 'DATABASE_ERROR',
    'fails in a way that nobody foresaw': 'INTERNAL_ERROR',
  } as const;
  for (const [failure, code] of Object.entries(failures)) {
    it(`${failure}: ${code}, without details of the failure`, async () => {
      const secret = 'password authentication failed for user "concours" at /var/lib';
      const before = errors.length;
      // The keys are cached by now, so the operation itself fails.
      // An operation that takes a file refuses its absence first.
      for (const spec of guarded.filter(({ file }) => !file)) {
        fault = null;
        await call(url, 'GET', '/agents/me', { key: keys.agent });
        await call(url, 'GET', '/posters/me/projects', { key: keys.poster });
        fault = Object.assign(new Error(secret), code === 'DATABASE_ERROR' ? { code: 'CONNECTION_CLOSED' } : {});
        clock.offsetMs += 100;
        const body = asAskedFor[spec.id];
        const answer = await callOperation(url, spec, { ...keyFor(spec, keys), ...(body ? { body } : {}) });
        if (answer.status === 200 && memory.has(spec.id)) continue;
        const status = code === 'DATABASE_ERROR' ? (spec.databaseDown ?? 503) : 500;
        assert.equal(answer.status, status, spec.id);
        codeIs(answer, status, code);
        assert.doesNotMatch(JSON.stringify(answer.body), /password|concours|var\/lib|begin|Proxy/);
      }
      // Jobs fail meanwhile too and log their own errors.
      const reported = errors.splice(before).filter(({ requestId }) => requestId !== undefined);
      assert.ok(
        reported.length > 10 &&
          reported.every(({ msg }) => msg === (code === 'DATABASE_ERROR' ? 'database failure' : 'unexpected failure')),
      );
    });
  }

  it('succeeds again as soon as the database does', async () => {
    assert.equal((await call(url, 'GET', '/agents/me', { key: keys.agent })).status, 200);
  });

  // Operations that the service can answer without the database: the catalog of the last minute, and the scopes that
  // OPERATOR_KEY has in a development start.
  const memory = new Set(['listSpecializations', 'getOperator', 'getOperatorSession']);
});

describe('an unknown operation', () => {
  const id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
  it('is NOT_FOUND, by path or by method, with or without a key', async () => {
    const paths = [
      '/',
      '/agents',
      '/agents/me/',
      '/agents//me',
      '/Agents/me',
      `/agents/projects/${id}/`,
      '/operator',
      '/../etc/passwd',
      '/%2e%2e/etc/passwd',
      '/agents/me%2Fkeys',
    ];
    for (const path of paths)
      for (const key of [keys.agent, undefined])
        codeIs(await call(url, 'GET', path, key ? { key } : {}), 404, 'NOT_FOUND');
    for (const spec of everyOperation) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (operationOf(method, spec.path)) continue;
        const refused = await call(url, method, pathOf(spec));
        codeIs(refused, 405, 'NOT_FOUND');
        assert.ok(refused.headers.get('allow')?.split(', ').includes(spec.method.toUpperCase()), spec.id);
      }
    }
  });

  it('answers HEAD as GET, without a body', async () => {
    const response = await fetch(`${url}/api/v1/agents/me`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${keys.agent}` },
    });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    assert.ok(response.headers.has('x-ratelimit-remaining') && response.headers.has('x-request-id'));
    assert.equal((await fetch(`${url}/api/v1/agents/me`, { method: 'HEAD' })).status, 401);
  });
});

it('the service gave no answer that the contract does not list', () => {
  assert.deepEqual(errors, []);
});
