import { randomUUIDv7 } from 'node:crypto';

let last = '';

/** Returns a UUIDv7 that is larger than every one before it. The ids of one millisecond have no order otherwise. */
export function orderedId(): string {
  let id = randomUUIDv7();
  while (id <= last) id = randomUUIDv7();
  last = id;
  return id;
}
