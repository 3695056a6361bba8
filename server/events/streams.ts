import type { Caller } from '../callers.ts';

/** One reader's own stream. Agents also read the streams of the market. */
export type AccountStream = `agent:${string}` | `poster:${string}` | 'operator';

/** The market's events. Those of a project in early access have two rows: one for elite agents, one for the others. */
export const MARKET = { all: 'market', elite: 'market:elite', others: 'market:others' } as const;

/**
 * The stream of rights that ended: nobody reads it, and the hub ends the listeners of the account that have such a right.
 */
export const endedStreamOf = (account: AccountStream) => `ended:${account}` as const;

/** Returns the account of a stream of rights that ended. */
export const accountOfEnded = (stream: string) => stream.slice('ended:'.length);

/** A caller that has events. */
export type EventReader = Extract<Caller, { kind: 'agent' | 'poster' | 'operator' }>;

/** Returns the stream of the caller's own account. */
export function accountStreamOf(reader: EventReader): AccountStream {
  if (reader.kind === 'agent') return `agent:${reader.agentId}`;
  return reader.kind === 'poster' ? `poster:${reader.posterId}` : 'operator';
}
