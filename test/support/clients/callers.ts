import { randomBytes } from 'node:crypto';
import type { ErrorCode } from '../../../contract/basics/errors.ts';
import { type Auth, credentialErrorsOf, needsOrigin, type OperationSpec } from '../../../contract/basics/operation.ts';
import { type AnyScope, covers, keyScopes, posterScopes, scopeOf } from '../../../contract/basics/scope.ts';
import { issueKey } from '../../../server/keys/format.ts';
import type { SharedWorld } from '../worlds/shared-world.ts';
import { call } from './client.ts';
import { expectStatus, registerAgent, registerPoster } from './journey.ts';
import { cookieOf } from './sessions.ts';

/** The status and the code of a refusal, or null for a caller that may go on. */
export type Refusal = [status: number, code: ErrorCode] | null;

export type Caller = {
  headers: Record<string, string>;
  /** Calls only the operations of this kind, because a caller of the same kind calls all others. */
  among?: Auth;
  refusalOf(spec: OperationSpec): Refusal;
};

type World = Pick<SharedWorld, 'url' | 'operatorKey'>;
type Kind = Exclude<Auth, 'public'>;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const missing = (spec: OperationSpec): Refusal => [401, credentialErrorsOf(spec).missing];
const invalid = (spec: OperationSpec): Refusal => [401, credentialErrorsOf(spec).invalid];

function holder(kind: Kind, key: string): Caller {
  return {
    headers: bearer(key),
    refusalOf: (spec) => (spec.auth === 'public' || spec.auth === kind ? null : invalid(spec)),
  };
}

/** Returns a key with the right id, the right checksum, and a wrong secret. */
function forged(key: string): string {
  const [kind, network, id] = key.split('_') as [string, string, string];
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let value = 0n;
  for (const digit of id) value = value * 62n + BigInt(digits.indexOf(digit));
  const idBytes = Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
  const random = (size: number) => (size === idBytes.length ? idBytes : randomBytes(size));
  return issueKey(`${kind}_${network}` as 'ck_test', random).key;
}

/** Returns a browser that sends its cookie from the service's own page, and from pages that are not. */
function browsers(kind: Kind, cookie: string, url: string): Record<string, Caller> {
  const from = (headers: Record<string, string>, isForeign: boolean): Caller => ({
    headers: { cookie, ...headers },
    ...(isForeign ? { among: kind } : {}),
    refusalOf(spec) {
      if (spec.auth === 'public') return null;
      if (spec.auth !== kind) return missing(spec);
      return isForeign && needsOrigin(spec) ? [403, 'ORIGIN_FORBIDDEN'] : null;
    },
  });
  // The page of the service comes last, because it ends the session.
  return {
    [`the browser of the ${kind} without an Origin`]: from({}, true),
    [`the browser of the ${kind} on another site`]: from({ origin: 'https://evil.test' }, true),
    [`the browser of the ${kind} on a sister site`]: from({ origin: url, 'sec-fetch-site': 'same-site' }, true),
    [`the browser of the ${kind}`]: from({ origin: url, 'sec-fetch-site': 'same-origin' }, false),
  };
}

const SIGN_IN: Record<Kind, string> = {
  agent: '/agents/session',
  poster: '/posters/session',
  operator: '/operator/session',
};

async function signedIn({ url }: World, kind: Kind, key: string): Promise<Record<string, Caller>> {
  const answer = expectStatus(await call(url, 'POST', SIGN_IN[kind], { body: { api_key: key } }), 200);
  return browsers(kind, cookieOf(answer), url);
}

async function agentsByStanding({ url, operatorKey }: World): Promise<Record<string, Caller>> {
  const callers: Record<string, Caller> = {};
  for (const status of ['suspended', 'limited', 'under_review'] as const) {
    const { id, key } = await registerAgent(url);
    const body = { status, reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }), 200);
    callers[`an agent that is ${status}`] = {
      headers: bearer(key),
      among: 'agent',
      refusalOf({ standing = 'notSuspended' }) {
        if (status === 'suspended') return standing === 'any' ? null : [403, 'AGENT_SUSPENDED'];
        return standing === 'active' ? [403, 'AGENT_RESTRICTED'] : null;
      },
    };
  }
  return callers;
}

/** Creates a second key of an account, with a scope. */
async function scopedKey({ url }: World, kind: 'agent' | 'poster', key: string, scope: AnyScope): Promise<string> {
  const body = { name: `May ${scope}`, scope };
  return expectStatus(await call(url, 'POST', `/${kind}s/me/keys`, { key, body }), 201).body.data.apiKey as string;
}

async function keysByScope(world: World, kind: 'agent' | 'poster', key: string): Promise<Record<string, Caller>> {
  const callers: Record<string, Caller> = {};
  for (const scope of kind === 'agent' ? keyScopes : posterScopes)
    callers[`a key of an account of ${kind}s with the scope ${scope}`] = {
      headers: bearer(await scopedKey(world, kind, key, scope)),
      among: kind,
      refusalOf: (spec) => (covers(scope, scopeOf(spec)) ? null : [403, 'KEY_SCOPE']),
    };
  return callers;
}

/** Keys that opened something once, and keys that only look right. */
async function badKeys(world: World, kind: 'agent' | 'poster', key: string): Promise<Record<string, Caller>> {
  const revoked = await scopedKey(world, kind, key, kind === 'agent' ? 'owner' : 'full');
  expectStatus(await call(world.url, 'DELETE', `/${kind}s/me/keys/${revoked.split('_')[2]}`, { key }), 200);
  const bad = (wrong: string): Caller => ({ headers: bearer(wrong), among: kind, refusalOf: invalid });
  return { [`a revoked key of the ${kind}`]: bad(revoked), [`a forged key of the ${kind}`]: bad(forged(key)) };
}

/** Makes every kind of caller, each with the answer that the contract decides for an operation. */
export async function makeCallers(world: World): Promise<Record<string, Caller>> {
  const { url, operatorKey } = world;
  const none = (spec: OperationSpec) => (spec.auth === 'public' ? null : missing(spec));
  const [agent, poster] = [await registerAgent(url), await registerPoster(url)];
  const [owner, studio] = [await registerAgent(url), await registerPoster(url)];
  return {
    nobody: { headers: {}, refusalOf: none },
    'a key in another scheme': {
      headers: { authorization: `Basic ${agent.key}` },
      among: 'agent',
      refusalOf: none,
    },
    'an agent': holder('agent', agent.key),
    'a poster': holder('poster', poster.key),
    'the operator': holder('operator', operatorKey),
    ...(await agentsByStanding(world)),
    ...(await keysByScope(world, 'agent', owner.key)),
    ...(await keysByScope(world, 'poster', studio.key)),
    ...(await badKeys(world, 'agent', agent.key)),
    ...(await badKeys(world, 'poster', poster.key)),
    ...(await signedIn(world, 'agent', (await registerAgent(url)).key)),
    ...(await signedIn(world, 'poster', (await registerPoster(url)).key)),
    ...(await signedIn(world, 'operator', operatorKey)),
  };
}
