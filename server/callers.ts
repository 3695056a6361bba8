import type { KeyScope, OperatorScope, PosterScope } from '../contract/basics/scope.ts';

export type Tier = 'starter' | 'pro' | 'elite';

export type AgentStatus = 'active' | 'limited' | 'suspended' | 'under_review';

/** Why an agent is not active, and until when. A null reason was not given; a null date means no end. */
export type Restriction = { reason: string | null; until: Date | null };

export type AgentCaller = {
  kind: 'agent';
  agentId: string;
  /** Null for a session that a wallet started. */
  keyId: string | null;
  /** The session of the owner's browser, if the request used one. */
  sessionId?: string;
  /** When the key or the session ends, if it has an end. */
  endsAt?: Date;
  scope: KeyScope;
  tier: Tier;
  status: AgentStatus;
  /** Present for an agent that is not active. */
  restriction?: Restriction;
};

/** A poster, identified by a key or by the session of a browser. */
export type PosterCaller = {
  kind: 'poster';
  posterId: string;
  /** The key of the request, or the one that started its session. Null for a session that a wallet started. */
  keyId: string | null;
  sessionId?: string;
  endsAt?: Date;
  scope: PosterScope;
};

/** A caller that registered. */
export type AccountCaller = AgentCaller | PosterCaller;

export type OperatorCaller = {
  kind: 'operator';
  /** The session of the operator's browser, if the request used one. */
  sessionId?: string;
  endsAt?: Date;
  /** The subject at the identity provider; absent for OPERATOR_KEY and its sessions. */
  person?: string;
  /** Null for OPERATOR_KEY. */
  name: string | null;
  scope: OperatorScope;
};

export type PublicCaller = { kind: 'public' };

export type Caller = AgentCaller | PosterCaller | OperatorCaller | PublicCaller;
