import type { OperatorCaller } from './callers.ts';
import type { KnownKeys } from './keys.ts';

/** The approval under which an act runs, and the name of the operator who gave it. */
export type GivenApproval = {
  id: string;
  by: string;
  /** Set when the act has used the approval up. */
  used?: boolean;
};

/** A request that another operator has approved. The caller is the one who requested it. */
export type ApprovedRequest = {
  caller: OperatorCaller;
  approval: GivenApproval;
  requestId: string;
  remoteAddress: string;
};

/** Performs an operation with an input that was parsed before. Returns the `data` of its answer. */
export type OperatorAct = (request: ApprovedRequest, input: object) => Promise<unknown>;

/** The acts that can wait for a second operator, by the id of their operation. */
export type OperatorActs = ReadonlyMap<string, OperatorAct>;

/** The sessions of operators' browsers. */
export type OperatorSessions = KnownKeys & {
  /** Returns the operator of a key, or null for a wrong one. */
  holderOf(key: string): Promise<OperatorCaller | null>;
  /** Returns what a session stores of OPERATOR_KEY. */
  sharedHashOf(sessionId: string): string;
};
