/** A body that arrives. `giveUp` refuses it, and removes it. */
export type ArrivingBody = { bytes: number; giveUp(): void };

/** The bytes of all bodies that arrive at this moment. */
export type BytesInFlight = {
  /**
   * Counts bytes of a body. While there is no room for them, the bodies that have been arriving longest are given up: many
   * slow bodies keep no other one out. Returns false when the body itself was given up.
   */
  add(body: ArrivingBody, bytes: number): boolean;
  /** The body is complete, or given up. */
  remove(body: ArrivingBody): void;
};

export function createBytesInFlight(most: number): BytesInFlight {
  /** In the order of their start. */
  const bodies = new Set<ArrivingBody>();
  let inFlight = 0;
  return {
    add(body, bytes) {
      bodies.add(body);
      body.bytes += bytes;
      inFlight += bytes;
      for (const oldest of bodies) {
        if (inFlight <= most) break;
        oldest.giveUp();
      }
      return bodies.has(body);
    },
    remove(body) {
      if (bodies.delete(body)) inFlight -= body.bytes;
    },
  };
}
