/** The bytes of all bodies that arrive at this moment. */
export type BytesInFlight = {
  /** Counts bytes of a body. Returns false when there is no room for them. */
  add(bytes: number): boolean;
  /** The body is complete, or given up. */
  remove(bytes: number): void;
};

export function createBytesInFlight(most: number): BytesInFlight {
  let inFlight = 0;
  return {
    add(bytes) {
      if (inFlight + bytes > most) return false;
      inFlight += bytes;
      return true;
    },
    remove(bytes) {
      inFlight -= bytes;
    },
  };
}
