import { DomainError, type ErrorDetail, validationError } from '../../contract/basics/errors.ts';
import { usdcNumber } from '../../contract/basics/money.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { Tier } from '../callers.ts';

/** A new intent needs more than this time before the deadline. */
export const INTENT_BUFFER_SECONDS = 15;

/** The allowed changes of status. README.md says when each happens. */
const NEXT: Record<ProjectStatus, readonly ProjectStatus[]> = {
  draft: ['open', 'cancelled'],
  open: ['judging', 'cancelled'],
  judging: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** Returns whether a project may change from one status to the other. */
export function mayBecome(from: ProjectStatus, to: ProjectStatus): boolean {
  return NEXT[from].includes(to);
}

/** Returns the one error for a missing project, another poster's, a draft, and one that is not visible yet. */
export function projectNotFound(): DomainError {
  return new DomainError('PROJECT_NOT_FOUND', 'Project not found.');
}

/** Returns the error for a wrong status. `rule` says what is possible, such as `only a draft can be deleted`. */
export function stateConflict(status: ProjectStatus, rule: string): DomainError {
  return new DomainError('PROJECT_STATE_CONFLICT', `This project is ${status}: ${rule}.`);
}

/**
 * Returns whether an agent sees a project: elite agents from publication, others after early access. Drafts are hidden.
 */
export function isVisibleTo(project: { visibleAt: Date | null }, tier: Tier, now: Date): boolean {
  return project.visibleAt !== null && (tier === 'elite' || project.visibleAt <= now);
}

type Deadline = { entriesEndAt: Date };
type Accepting = Deadline & { status: ProjectStatus; closesAt?: Date | null };

/**
 * Checks that the project takes entries: it is open, its poster does not close it, and more than `bufferSeconds` remain.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING, PROJECT_DEADLINE_PASSED, PROJECT_DEADLINE_TOO_CLOSE
 */
export function requireAcceptingEntries(project: Accepting, now: Date, bufferSeconds: number): void {
  requireOpen(project.status);
  if (project.closesAt) throw closing(project.closesAt);
  const remainingMs = project.entriesEndAt.getTime() - now.getTime();
  if (remainingMs <= 0) throw deadlinePassed();
  if (remainingMs > bufferSeconds * 1000) return;
  throw new DomainError(
    'PROJECT_DEADLINE_TOO_CLOSE',
    `More than ${bufferSeconds} seconds must remain until the deadline.`,
  );
}

/**
 * Checks that an entry with a paid fee can still get an upload URL: the project is open, and entries have not ended.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING, PROJECT_DEADLINE_PASSED
 */
export function requireUnfinished(project: Deadline & { status: ProjectStatus }, now: Date): void {
  requireOpen(project.status);
  if (now >= project.entriesEndAt) throw deadlinePassed();
}

type Confirmable = Deadline & { confirmGraceSeconds: number };

/** Returns the end of the grace period, in which paid submissions can still be confirmed after the deadline. */
export function confirmableUntil({ entriesEndAt, confirmGraceSeconds }: Confirmable): Date {
  return new Date(entriesEndAt.getTime() + confirmGraceSeconds * 1000);
}

/**
 * Checks that entries can still be confirmed: the project is open and its grace period is not over.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING, PROJECT_DEADLINE_PASSED
 */
export function requireConfirmable(project: Confirmable & { status: ProjectStatus }, now: Date): void {
  requireOpen(project.status);
  if (now > confirmableUntil(project)) throw deadlinePassed();
}

const DAY_MS = 86_400_000;

/** Returns the latest deadline of a project that opens at `openedAt`. */
export function latestFrom(openedAt: Date, maxOpenDays: number): Date {
  return new Date(openedAt.getTime() + maxOpenDays * DAY_MS);
}

/** Returns what is wrong with a deadline after the latest one; null if it is not later. */
export function tooLate(deadline: Date, latest: Date): ErrorDetail | null {
  if (deadline <= latest) return null;
  return { field: 'auto_select_deadline', message: `must not be later than ${latest.toISOString()}` };
}

/**
 * Checks that enough time remains for agents to enter, and not too much, so that the project can open.
 *
 * @throws DomainError PROJECT_DEADLINE_PASSED, PROJECT_DEADLINE_TOO_CLOSE, VALIDATION_ERROR
 */
export function requireTimeToOpen(
  project: Deadline,
  now: Date,
  { minOpenSeconds, maxOpenDays }: { minOpenSeconds: number; maxOpenDays: number },
): void {
  const late = tooLate(project.entriesEndAt, latestFrom(now, maxOpenDays));
  if (late) throw validationError([late]);
  const remainingMs = project.entriesEndAt.getTime() - now.getTime();
  if (remainingMs <= 0) throw deadlinePassed();
  if (remainingMs >= minOpenSeconds * 1000) return;
  throw new DomainError(
    'PROJECT_DEADLINE_TOO_CLOSE',
    `At least ${minOpenSeconds} seconds must remain until auto_select_deadline. Move it, then publish.`,
  );
}

/**
 * A small fee would cost the service more gas than it brings. 0 makes entering free. A fee above half of the prize would let
 * an agent pay more than it can hope to win. `prizeMicro` is undefined while it is not known.
 */
export function entryFeeProblems(
  { entryFeeMicro, prizeMicro }: { entryFeeMicro: number | undefined; prizeMicro: number | undefined },
  { minEntryFeeMicro }: { minEntryFeeMicro: number },
): ErrorDetail[] {
  if (entryFeeMicro === undefined || entryFeeMicro === 0) return [];
  if (entryFeeMicro < minEntryFeeMicro)
    return [{ field: 'entry_fee', message: `must be 0, or at least ${usdcNumber(minEntryFeeMicro)} USDC` }];
  if (prizeMicro === undefined || entryFeeMicro * 2 <= prizeMicro) return [];
  return [{ field: 'entry_fee', message: `must be at most half of the prize of ${usdcNumber(prizeMicro)} USDC` }];
}

/**
 * Checks the entry fee of a draft again when it is published: the smallest fee may have risen since.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function requireEntryFee(
  project: { entryFeeMicro: number; prizeMicro: number },
  config: { minEntryFeeMicro: number },
): void {
  const problems = entryFeeProblems(project, config);
  if (problems.length > 0) throw validationError(problems);
}

function requireOpen(status: ProjectStatus): void {
  if (status === 'open') return;
  throw new DomainError('PROJECT_NOT_ACCEPTING', `This project is not accepting submissions: its status is ${status}.`);
}

function closing(closesAt: Date): DomainError {
  return new DomainError(
    'PROJECT_NOT_ACCEPTING',
    `This project is not accepting submissions: its status is open, but its poster closes it at ${closesAt.toISOString()}.`,
  );
}

/** Returns the error for a request after the deadline. */
export function deadlinePassed(): DomainError {
  return new DomainError('PROJECT_DEADLINE_PASSED', 'The deadline of this project has passed.');
}
