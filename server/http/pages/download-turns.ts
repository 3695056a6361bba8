import { createFairQueue } from '../../pictures/public.ts';

export type DownloadTurns = {
  /**
   * Runs `work` in the turn of an actor of the audit trail.
   *
   * @throws InspectorBusy when too many wait; the reason of `left` when the client leaves while it waits
   */
  run<T>(actor: string, work: () => Promise<T>, left: AbortSignal): Promise<T>;
};

// A download holds at most 4 parts of 1 MB, so both groups together take 128 MB.
const TURNS = 16;
// A browser may load several files of a set at once. Four accounts can then hold all turns of their group for a while.
const TURNS_OF_ACTOR = 4;
// A waiting request holds no bytes.
const WAITING = { maxWaiting: 1_000, maxWaitingOfAgent: 50 };

/**
 * Creates the turns of downloads. Agents have turns of their own: anybody can be many agents with free entries, but a
 * poster has paid a prize for what it downloads.
 */
export function createDownloadTurns(): DownloadTurns {
  const createTurns = () => createFairQueue({ turns: TURNS, turnsOfAgent: TURNS_OF_ACTOR, ...WAITING });
  const [ofAgents, ofOthers] = [createTurns(), createTurns()];
  return {
    run: (actor, work, left) => (actor.startsWith('agent:') ? ofAgents : ofOthers).run(actor, work, left),
  };
}
