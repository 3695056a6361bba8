import type { ReplicaStatus } from '../ports/database.ts';

// Judges one replica by what it and the primary answered. Pure.

/** The lag beyond which a replica is not read. */
const MAX_LAG_MS = 1_000;
/** A replica is trusted once it has agreed with the primary for this long, in which a heartbeat changes. */
const TRUST_AFTER_MS = 2_000;
const KEPT_MS = 60_000;

/** Where the primary was: its WAL up to `position` is on disk, with the heartbeat in its data. */
export type PrimaryLook = { at: number; position: number; heartbeat: number };

/** Where a replica is. `position` is null on a server that has replayed nothing. */
export type ReplicaLook = { inRecovery: boolean; position: number | null; heartbeat: number };

/** Adds a look at the primary. A position that went back belongs to another primary, so nothing earlier counts. */
export function remember(looks: PrimaryLook[], look: PrimaryLook): PrimaryLook[] {
  const last = looks.at(-1);
  if (last && look.position < last.position) return [look];
  return [...looks.filter(({ at }) => look.at - at <= KEPT_MS), look];
}

/**
 * Judges a look at a replica that began at `at`. The last of `looks` is later than it.
 *
 * The lag is the age of the oldest known position that the replica has not replayed, so an idle primary is no lag.
 */
export function judge(
  look: ReplicaLook | null,
  looks: readonly PrimaryLook[],
  at: number,
): Omit<ReplicaStatus, 'name'> {
  if (look === null) return { state: 'away', lagMs: 0 };
  const { inRecovery, position, heartbeat } = look;
  if (!inRecovery) return { state: 'promoted', lagMs: 0 };
  const replayed = position ?? -1;
  const missing = looks.find((known) => known.at <= at && known.position > replayed);
  const lagMs = missing ? at - missing.at : 0;
  const [oldest] = looks;
  if (!oldest || at - oldest.at < TRUST_AFTER_MS) return { state: 'unconfirmed', lagMs };
  if (lagMs > MAX_LAG_MS) return { state: 'lagging', lagMs };
  return { state: isSameData(heartbeat, looks, replayed) ? 'good' : 'foreign', lagMs };
}

/** A replica of a former primary may have replayed more, yet other data. */
function isSameData(heartbeat: number, looks: readonly PrimaryLook[], replayed: number): boolean {
  const held = looks.findLast(({ position }) => position <= replayed);
  const newest = looks.at(-1);
  return held !== undefined && newest !== undefined && held.heartbeat <= heartbeat && heartbeat <= newest.heartbeat;
}
