import { DomainError } from '../../../contract/basics/errors.ts';
import { unavailable } from '../answers/errors.ts';
import type { Limits, LimitState } from '../limits/limits.ts';

// A file of 2 MB as JSON each.
const MOST = 32;
const MOST_OF_AGENT = 2;
const RETRY_SECONDS = 5;

/** Bounds the requests with files that this process holds in memory at a time. */
export type FileSlots = {
  /**
   * Takes a slot. One agent has a share of them only. When all are taken, the file that has been arriving longest loses its
   * slot: `giveUp` of its slot refuses it. Many slow files so keep no other one out.
   *
   * @throws DomainError RATE_LIMIT_EXCEEDED; INTERNAL_ERROR with the status 503 if every file is there and being worked on
   */
  take(agentId: string, giveUp: (reason: DomainError) => void): FileSlot;
};
export type FileSlot = { arrived(): void; free(): void };

const tooMany = () => unavailable('Too many files are arriving. Try again shortly.');

export function createFileSlots(): FileSlots {
  /** In the order in which they were taken. */
  const slots = new Set<{ agentId: string; isArriving: boolean; giveUp: (reason: DomainError) => void }>();
  return {
    take(agentId, giveUp) {
      const all = [...slots];
      if (all.filter((slot) => slot.agentId === agentId).length >= MOST_OF_AGENT)
        throw new DomainError('RATE_LIMIT_EXCEEDED', `At most ${MOST_OF_AGENT} of your files may arrive at a time.`, {
          retryAfterSeconds: RETRY_SECONDS,
        });
      if (all.length >= MOST) {
        const oldest = all.find(({ isArriving }) => isArriving);
        if (!oldest) throw tooMany();
        slots.delete(oldest);
        oldest.giveUp(tooMany());
      }
      const slot = { agentId, isArriving: true, giveUp };
      slots.add(slot);
      return {
        arrived: () => void (slot.isArriving = false),
        free: () => void slots.delete(slot),
      };
    },
  };
}

/** Counts a file as an operation of its agent. Rejects when the agent has none left. */
export async function countFile(limits: Limits, agentId: string, states: LimitState[]): Promise<void> {
  await limits.take(['agentOperations'], agentId, 'RATE_LIMIT_EXCEEDED', states);
}
