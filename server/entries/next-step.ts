import type { ProjectStatus } from '../../contract/projects/projects.ts';
import { confirmableUntil } from '../projects/public.ts';

/**
 * The state of a submission's newest file. `expected`: the upload URL has received no complete file. `uploaded`: waits for
 * the confirmation. `replaced`: discarded with its intent.
 */
export type FileState = 'expected' | 'uploaded' | 'refused' | 'confirmed' | 'replaced';

/** The facts of a submission that decide what its agent can do next. */
export type EntryFacts = {
  status: 'pending' | 'submitted' | 'withdrawn';
  /** `settling`: claimed, and the outcome is not known yet. */
  payment: 'none' | 'settling' | 'settled';
  fileState: FileState | null;
  /** When the uploaded file arrived, by the clock of the store; null without one. */
  uploadedAt: Date | null;
  project: {
    status: ProjectStatus;
    autoSelectDeadline: Date;
    maxEntries: number | null;
    placesTaken: number;
    /** When the poster asked to close early, and the announced end of entries. */
    closeRequestedAt: Date | null;
    closesAt: Date | null;
  };
};

export type NextStep = 'requestUpload' | 'confirmUpload';

/**
 * Returns the request that brings a submission one step further. Null if nothing is left to do, or nothing can be done
 * now. This function changes nothing: the verbs check again.
 */
export function nextStep(
  { status, payment, fileState, uploadedAt, project }: EntryFacts,
  { now, graceSeconds, restriction }: { now: Date; graceSeconds: number; restriction: { since: Date | null } | null },
): NextStep | null {
  if (status !== 'pending' || project.status !== 'open') return null;
  const hasPaid = payment !== 'none';
  // A paid entry holds its place. A free one takes it with its confirmation.
  const isFull = project.maxEntries !== null && project.placesTaken >= project.maxEntries;
  if (isFull && !hasPaid) return null;
  const end = { autoSelectDeadline: project.closesAt ?? project.autoSelectDeadline };
  if (fileState === 'uploaded') {
    const mayFinish = hasPaid || uploadedBefore(uploadedAt, restriction);
    return mayFinish && now <= confirmableUntil(end, graceSeconds) ? 'confirmUpload' : null;
  }
  if (now >= end.autoSelectDeadline) return null;
  const mayStart = restriction === null && project.closeRequestedAt === null;
  return hasPaid || mayStart ? 'requestUpload' : null;
}

/** Returns whether the agent was active when its file arrived. Null as restriction: the agent is active. */
export function uploadedBefore(uploadedAt: Date | null, restriction: { since: Date | null } | null): boolean {
  if (restriction === null) return true;
  return uploadedAt !== null && restriction.since !== null && uploadedAt <= restriction.since;
}
