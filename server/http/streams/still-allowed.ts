import { DomainError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Caller } from '../../ports/callers.ts';
import { requireRight } from '../auth/public.ts';
import type { StillAllowed } from './event-streams.ts';

const OFTEN_MS = 60_000;
const RARELY_MS = 600_000;

/** Returns how a stream asks whether its reader may still read. `identify` identifies the caller of the request again. */
export function stillAllowedOf(spec: OperationSpec, caller: Caller, identify: () => Promise<Caller>): StillAllowed {
  return {
    everyMs: endsByAnEvent(caller) ? RARELY_MS : OFTEN_MS,
    async ask() {
      try {
        requireRight(await identify(), spec);
        return true;
      } catch (error) {
        if (error instanceof DomainError && (error.status === 401 || error.status === 403)) return false;
        throw error;
      }
    },
  };
}

/** The hub ends the streams of a revoked key by its event. The end of a session, or of a replaced key, has no such event. */
function endsByAnEvent(caller: Caller): boolean {
  return caller.kind === 'agent' && caller.sessionId === undefined && caller.keyEndsAt === undefined;
}
