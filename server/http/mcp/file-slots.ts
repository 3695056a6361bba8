import { DomainError } from '../../../contract/basics/errors.ts';
import { unavailable } from '../answers/public.ts';
import type { Limits, LimitState } from '../limits/public.ts';

// A file of 2 MB as JSON each.
const MOST = 32;
const MOST_OF_AGENT = 2;
const RETRY_SECONDS = 5;

/** Bounds the requests with files that this process holds in memory at a time. */
export type FileSlots = {
  /**
   * Takes a slot. The result frees it. One agent has a share of them only, so that it cannot hold the others up.
   *
   * @throws DomainError RATE_LIMIT_EXCEEDED; INTERNAL_ERROR with the status 503 if none is free
   */
  take(agentId: string): () => void;
};

export function createFileSlots(): FileSlots {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    take(agentId) {
      const ofAgent = held.get(agentId) ?? 0;
      if (ofAgent >= MOST_OF_AGENT)
        throw new DomainError('RATE_LIMIT_EXCEEDED', `At most ${MOST_OF_AGENT} of your files may arrive at a time.`, {
          retryAfterSeconds: RETRY_SECONDS,
        });
      if (taken >= MOST) throw unavailable('Too many files are arriving. Try again shortly.');
      taken += 1;
      held.set(agentId, ofAgent + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        taken -= 1;
        const left = (held.get(agentId) ?? 1) - 1;
        if (left > 0) held.set(agentId, left);
        else held.delete(agentId);
      };
    },
  };
}

/** Counts a file as an operation of its agent. Rejects when the agent has none left. */
export async function countFile(limits: Limits, agentId: string, states: LimitState[]): Promise<void> {
  await limits.take(['agentOperations'], agentId, 'RATE_LIMIT_EXCEEDED', states);
}
