import type { Going } from './delivery-attempt.ts';
import type { Slot } from './concurrency.ts';
import type { Attempt } from './outcome-queries.ts';
import { attemptNumber, FIRST_ATTEMPT, IMMEDIATE_RETRY, isGone } from './retry-schedule.ts';
import type { SenderParts } from './shared-parts.ts';
import type { Endpoint } from './sender-queries.ts';
import type { SignableEvent } from './signature.ts';

/** The first attempt of an event at one endpoint, with its immediate retry, from its start until it is written down. */
export type Flight = {
  endpoint: Endpoint;
  /**
   * `going`: under way; `done`: its outcome is there; `put off`: nothing was sent, one of the other lanes does it;
   * `recorded`: it took too long for its batch, and a leased retry stands for it.
   */
  state: 'going' | 'done' | 'put off' | 'recorded';
  attempts: Attempt[];
  /** How far it got when it is done: FIRST_ATTEMPT or IMMEDIATE_RETRY was the last one made. */
  retries: number;
  endedAt: Date | null;
  slot: Slot | null;
  /** Gives up what only waits for its network. */
  giveUp(): boolean;
};

/** What is not sent now: it is slow, or somebody is at it. */
export function flightPutOff(endpoint: Endpoint): Flight {
  const none = { attempts: [], retries: FIRST_ATTEMPT, endedAt: null, slot: null, giveUp: () => false };
  return { endpoint, state: 'put off', ...none };
}

/** Sends; `onEnd` hears of the end, when the flight is no longer `going`, or of one that was recorded meanwhile. */
export function startFlight(
  { deps, attempts, lane, busy, track }: SenderParts,
  endpoint: Endpoint,
  event: SignableEvent,
  onEnd: (flight: Flight) => void,
): Flight {
  const slot = lane.start();
  let going: Going | null = null;
  const flight: Flight = {
    endpoint,
    state: 'going',
    attempts: [],
    retries: FIRST_ATTEMPT,
    endedAt: null,
    slot,
    giveUp: () => going?.giveUp() ?? false,
  };
  busy.add(endpoint.id);

  async function fly(): Promise<void> {
    for (const retries of [FIRST_ATTEMPT, IMMEDIATE_RETRY]) {
      going = attempts.begin(endpoint, event, attemptNumber(retries));
      const made = await going.done;
      if (!made) break;
      flight.attempts.push(made);
      flight.retries = retries;
      const { outcome } = made;
      // Who did not answer for 5 s is asked again by the slow lane, at once, but without holding up anybody here.
      if (outcome.ok || outcome.failure === 'timeout' || isGone(outcome)) break;
    }
    busy.delete(endpoint.id);
    flight.endedAt = deps.clock.now();
    lane.end(slot, flight.attempts[0]?.outcome.ok ?? false);
    if (flight.state === 'going') flight.state = flight.attempts.length > 0 ? 'done' : 'put off';
    onEnd(flight);
  }

  track(fly());
  return flight;
}
