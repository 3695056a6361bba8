import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../../contract/operations.ts';
import { credentialErrorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { readConfig } from '../../config.ts';
import { createMemoryLimits, limitTable } from '../limits/public.ts';
import type { AgentCaller, OperatorCaller, PosterCaller } from '../../ports/callers.ts';
import { type Authenticators, createAuthenticate } from './auth.ts';
import { requireRight } from './rights.ts';
import { createSessions } from './sessions.ts';

const agent: AgentCaller = {
  kind: 'agent',
  agentId: 'a',
  keyId: 'k',
  scope: 'owner',
  tier: 'starter',
  status: 'active',
};
const poster: PosterCaller = { kind: 'poster', posterId: 'p', keyId: 'k', scope: 'full' };
const operator: OperatorCaller = { kind: 'operator', operatorId: null, name: null, scopes: ['read', 'money'] };

/** Each authenticator knows one credential. */
const known: Authenticators = {
  agent: async (key) => (key === 'agent-key' ? agent : null),
  poster: async (key) => (key === 'poster-key' ? poster : null),
  operator: async (key) => (key === 'operator-key' ? operator : null),
  session: async (token) => (token === 'poster-token' ? poster : null),
  agentSession: async (token) => (token === 'agent-token' ? agent : null),
  operatorSession: async (token) => (token === 'operator-token' ? operator : null),
};
const config = readConfig({});
const limits = createMemoryLimits(limitTable(config.limits), { now: () => new Date() });
const sessions = createSessions({ config, publicUrl: 'https://market.example' });
const authenticate = createAuthenticate(known, { limits, sessions, development: true });

async function answerTo(spec: OperationSpec, headers: Record<string, string>): Promise<string> {
  const caller = authenticate(spec, new Headers(headers), '127.0.0.1', []);
  return await caller.then(
    ({ kind }) => kind,
    (error: { code: string }) => error.code,
  );
}

const all: OperationSpec[] = Object.values(operations);

describe('the caller of an operation', () => {
  it('has a key of the kind that the operation names, in every operation', async () => {
    const keys = ['agent-key', 'poster-key', 'operator-key', 'any-key'];
    for (const spec of all.filter(({ auth }) => auth !== 'public'))
      for (const key of keys) {
        const answer = await answerTo(spec, { authorization: `Bearer ${key}` });
        if (key === `${spec.auth}-key`) assert.equal(answer, spec.auth, spec.id);
        else assert.equal(answer, credentialErrorsOf(spec).invalid, `${spec.id} with ${key}`);
      }
  });

  it('is unknown without a credential, and after the end of a session', async () => {
    for (const spec of all.filter(({ auth }) => auth !== 'public')) {
      const { missing } = credentialErrorsOf(spec);
      assert.equal(await answerTo(spec, {}), missing, spec.id);
      const ended = { cookie: `__Host-${spec.auth}_session=ended`, origin: 'https://market.example' };
      assert.equal(await answerTo(spec, ended), missing, spec.id);
    }
  });

  it('may change something by a session only from a page of the service', async () => {
    for (const spec of all.filter(({ auth, method }) => auth === 'poster' && method !== 'get')) {
      const cookie = '__Host-poster_session=poster-token';
      assert.equal(await answerTo(spec, { cookie, origin: 'https://market.example' }), 'poster', spec.id);
      for (const from of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
        assert.equal(await answerTo(spec, { cookie, ...from }), 'ORIGIN_FORBIDDEN', spec.id);
    }
  });
});

describe('the right of a caller', () => {
  const { createIntent, draftProject, getMe, searchProjects, listOwnProjects } = operations;

  it('ends at the scope of its key', () => {
    const readers = [
      [{ ...agent, scope: 'read' as const }, searchProjects, createIntent],
      [{ ...poster, scope: 'read' as const }, listOwnProjects, draftProject],
    ] as const;
    for (const [reader, read, write] of readers) {
      requireRight(reader, read);
      assert.throws(() => requireRight(reader, write), { code: 'KEY_SCOPE', status: 403 });
    }
  });

  it('of a reading key of a poster leaves originals and the email address alone', () => {
    for (const spec of [operations.getDelivery, operations.getPosterContact]) {
      requireRight(poster, spec);
      assert.throws(() => requireRight({ ...poster, scope: 'read' }, spec), { code: 'KEY_SCOPE' });
    }
  });

  it('of a suspended agent is its profile', () => {
    const suspended: AgentCaller = { ...agent, status: 'suspended' };
    requireRight(suspended, getMe);
    for (const spec of [searchProjects, createIntent])
      assert.throws(() => requireRight(suspended, spec), { code: 'AGENT_SUSPENDED', status: 403 });
  });
});
