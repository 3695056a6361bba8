import type { OperatorScope } from '../../contract/basics/scope.ts';
import type { OperatorCaller } from '../callers.ts';

/** The sessions of operators' browsers. */
export type OperatorSessions = {
  /** Returns the operator of a key, or null for a wrong one. */
  holderOf(key: string): OperatorCaller | null;
  /**
   * Returns what a session stores of the settings that allow it: OPERATOR_KEY, or those of the identity provider. When they
   * change, the session ends.
   */
  settingsHashOf(sessionId: string, by: 'key' | 'provider'): string;
};

/** The tokens of the provider that a session keeps. */
export type ProviderTokens = {
  /** Confirms the person's right later; null if the provider gave none. */
  refresh: string | null;
  /** Names the session to end at the provider. */
  id: string | null;
};

/** A person as the identity provider knows it. `scope` is null for a person without a right. */
export type FoundPerson = { subject: string; name: string; scope: OperatorScope | null; tokens: ProviderTokens };

/** The identity provider of operators (OpenID Connect). */
export type IdentityProvider = {
  /** Its host, for people. */
  host: string;
  /** Its settings, as text. */
  settings: string;
  /** Returns the page that signs a person in, and what the browser has to keep. @throws DomainError INTERNAL_ERROR (503) */
  begin(): Promise<{ url: string; flow: string }>;
  /**
   * Exchanges the provider's answer, the query of its redirect, for a person.
   *
   * @throws DomainError UNAUTHORIZED for a wrong answer, or INTERNAL_ERROR (503)
   */
  finish(flow: string, answer: string): Promise<FoundPerson>;
  /** Asks again about a person who has signed in. `unknown`: the provider does not say. */
  confirm(person: { subject: string; refresh: string }): Promise<FoundPerson | 'ended' | 'unknown'>;
  /** Returns the page that ends the person's session at the provider; null if there is none. */
  signOutUrl(idToken: string | null): Promise<string | null>;
};
