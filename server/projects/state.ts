import { DomainError } from '../../contract/errors.ts';
import type { ProjectStatus } from '../../contract/projects.ts';
import type { Tier } from '../ports/callers.ts';

/** An intent needs more than this before the deadline. */
export const INTENT_BUFFER_SECONDS = 15;

/** What a project may become; the decisions name who moves it when. */
const NEXT: Record<ProjectStatus, readonly ProjectStatus[]> = {
  draft: ['open', 'cancelled'],
  open: ['judging', 'cancelled'],
  judging: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

export function mayBecome(from: ProjectStatus, to: ProjectStatus): boolean {
  return NEXT[from].includes(to);
}

/** The one answer for a missing project, a foreign one, a draft, and one that is not visible yet. */
export function projectNotFound(): DomainError {
  return new DomainError('PROJECT_NOT_FOUND', 'Project not found.');
}

/** `rule` says what would be possible, e.g. `only a draft can be deleted`. */
export function stateConflict(status: ProjectStatus, rule: string): DomainError {
  return new DomainError('PROJECT_STATE_CONFLICT', `This project is ${status}: ${rule}.`);
}

/** Elite agents see a project when it is published, the others when its early access ends. Drafts are nobody's. */
export function isVisibleTo(project: { visibleAt: Date | null }, tier: Tier, now: Date): boolean {
  return project.visibleAt !== null && (tier === 'elite' || project.visibleAt <= now);
}

type Deadline = { autoSelectDeadline: Date };

/**
 * Entries are taken while the project is open and more than `bufferSeconds` remain.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING, PROJECT_DEADLINE_PASSED, PROJECT_DEADLINE_TOO_CLOSE
 */
export function requireAcceptingEntries(
  project: Deadline & { status: ProjectStatus },
  now: Date,
  bufferSeconds: number,
): void {
  requireOpen(project.status);
  const remainingMs = project.autoSelectDeadline.getTime() - now.getTime();
  if (remainingMs <= 0) throw deadlinePassed();
  if (remainingMs > bufferSeconds * 1000) return;
  throw new DomainError(
    'PROJECT_DEADLINE_TOO_CLOSE',
    `More than ${bufferSeconds} seconds must remain until the deadline.`,
  );
}

/** What was paid in time may still be confirmed for a while after the deadline: until then. */
export function confirmableUntil({ autoSelectDeadline }: Deadline, graceSeconds: number): Date {
  return new Date(autoSelectDeadline.getTime() + graceSeconds * 1000);
}

/**
 * While entries of the project are confirmed: it is open, and the grace after its deadline is not over.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING, PROJECT_DEADLINE_PASSED
 */
export function requireConfirmable(
  project: Deadline & { status: ProjectStatus },
  now: Date,
  graceSeconds: number,
): void {
  requireOpen(project.status);
  if (now > confirmableUntil(project, graceSeconds)) throw deadlinePassed();
}

/**
 * A project opens only with enough time for agents to enter it.
 *
 * @throws DomainError PROJECT_DEADLINE_PASSED, PROJECT_DEADLINE_TOO_CLOSE
 */
export function requireTimeToOpen(project: Deadline, now: Date, minOpenSeconds: number): void {
  const remainingMs = project.autoSelectDeadline.getTime() - now.getTime();
  if (remainingMs <= 0) throw deadlinePassed();
  if (remainingMs >= minOpenSeconds * 1000) return;
  throw new DomainError(
    'PROJECT_DEADLINE_TOO_CLOSE',
    `At least ${minOpenSeconds} seconds must remain until auto_select_deadline. Move it, then publish.`,
  );
}

function requireOpen(status: ProjectStatus): void {
  if (status === 'open') return;
  throw new DomainError('PROJECT_NOT_ACCEPTING', `This project is not accepting submissions: its status is ${status}.`);
}

export function deadlinePassed(): DomainError {
  return new DomainError('PROJECT_DEADLINE_PASSED', 'The deadline of this project has passed.');
}
