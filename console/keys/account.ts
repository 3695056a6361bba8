import type { ReactNode } from 'react';
import type { QueryState } from '../signed-in/public.ts';

/** An API key as both kinds of accounts list it. */
export type ListedKey<Scope extends string> = {
  id: string;
  name: string | null;
  scope: Scope;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** Whether the session of this page uses it. */
  current: boolean;
};

/** The texts that differ between agents and posters. */
export type KeyTexts<Scope extends string> = {
  lead: string;
  caption: string;
  /** The most keys of an account. */
  limit: string;
  /** An example of a name. */
  nameHint: string;
  /** Shown with a new key. */
  newText: string;
  scopes: Record<Scope, string>;
  meanings: Record<Scope, string>;
};

/** The keys of one account, and what its page can do with them. */
export type KeyedAccount<Scope extends string> = {
  text: KeyTexts<Scope>;
  /** From the least to the most. */
  scopes: readonly [Scope, ...Scope[]];
  query: QueryState<{ keys: ListedKey<Scope>[] }>;
  refresh: () => Promise<void>;
  /** False: the session can only read the list. */
  mayChange: boolean;
  create: (name: string, scope: Scope) => Promise<{ apiKey: string }>;
  revoke: (keyId: string) => Promise<unknown>;
  /** Says what the end of a key means for this account. */
  consequences: (key: ListedKey<Scope>, all: ListedKey<Scope>[]) => ReactNode;
};

/** Returns whether the key works at this time. */
export function isGood({ expiresAt }: { expiresAt: string | null }, now: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > now;
}
