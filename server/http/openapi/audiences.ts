import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { scopeOf } from '../../../contract/basics/scope.ts';

/** The readers that have an OpenAPI document of their own. */
export const AUDIENCES = ['agent', 'owner', 'poster', 'public', 'operator'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Parts that the owner needs for the account, and the agent does not need for its work. Both use the agent's keys. */
const OWNER_TAGS = new Set(['Keys', 'Webhooks', 'Analytics', 'Leaderboard', 'Questions', 'Sessions']);

/** Single operations of the same kind. */
const OWNER_IDS = new Set(['getAgentMoney', 'listOwnFiles', 'getManifest']);

/** Operations without a key that a reader needs beside its own: mostly the ones that lead to the key. */
const ALSO: Record<Audience, readonly string[]> = {
  agent: ['createAgent', 'listPublicSpecializations', 'getNetwork', 'mintTestUsdc', 'getTerms'],
  owner: ['challengeSession', 'createAgentSession'],
  poster: [
    'createPoster',
    'challengeSession',
    'createSession',
    'listPublicSpecializations',
    'getNetwork',
    'mintTestUsdc',
  ],
  public: [],
  operator: ['createOperatorSession', 'getNetwork'],
};

/** Returns whether the text names a reader. */
export function isAudience(text: string): text is Audience {
  return AUDIENCES.some((audience) => audience === text);
}

/** Returns the operations that one reader can use. */
export function specsFor(audience: Audience, specs: OperationSpec[]): OperationSpec[] {
  return specs.filter(
    (spec) => readerOf(spec) === audience || (spec.auth === 'public' && ALSO[audience].includes(spec.id)),
  );
}

function readerOf(spec: OperationSpec): Audience {
  const { auth, id, tag } = spec;
  if (auth !== 'agent') return auth;
  return OWNER_TAGS.has(tag) || OWNER_IDS.has(id) || scopeOf(spec) === 'owner' ? 'owner' : 'agent';
}
