import { DomainError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Caller } from '../../callers.ts';
import type { Clock } from '../../clock.ts';
import { requireRight } from '../auth/rights.ts';
import type { StillAllowed } from './event-streams.ts';

/** The right may have ended just before the stream joined the hub, while its key was still cached. */
const FIRST_MS = 2_000;
const OFTEN_MS = 60_000;
const RARELY_MS = 600_000;

/**
 * Returns how a stream asks whether its reader may still read. `identify` identifies the caller of the request again. The
 * hub ends streams by the event of a revoked key, an ended session, or a revoked operator. Here they end on time, and where
 * a right ended without an event.
 */
export function stillAllowedOf(spec: OperationSpec, identify: () => Promise<Caller>, clock: Clock): StillAllowed {
  return {
    firstMs: FIRST_MS,
    async ask() {
      try {
        const caller = await identify();
        requireRight(caller, spec);
        return nextMs(caller, clock.now());
      } catch (error) {
        if (error instanceof DomainError && (error.status === 401 || error.status === 403)) return null;
        throw error;
      }
    },
  };
}

function nextMs(caller: Caller, now: Date): number {
  if (caller.kind === 'public') return RARELY_MS;
  const usualMs = caller.kind === 'agent' && caller.sessionId === undefined ? RARELY_MS : OFTEN_MS;
  return caller.endsAt === undefined ? usualMs : Math.min(usualMs, caller.endsAt.getTime() - now.getTime());
}
