import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { createFairQueue, ImageRejected } from '../pictures/public.ts';
import { enter } from './enter.ts';
import { endRequest, findFile, leaseInspection, refuseFile, releaseInspection } from './inspection-queries.ts';
import { findSubmission, type SubmissionRow } from './queries.ts';
import { generationTimeSeconds } from './state.ts';
import type { ConfirmedEntry, Inspections, InspectionTimes, RequestedFile } from '../ports/inspections.ts';
import type { ImageFacts } from '../ports/pictures.ts';

export type InspectionDeps = Pick<
  Deps,
  'db' | 'clock' | 'config' | 'newId' | 'storage' | 'inspectImage' | 'publicCopies' | 'log'
> & { inspectionTimes: InspectionTimes };

/**
 * A request waits less than the 20 s that the service allows it. The lease is longer than an inspection; one that takes
 * longer is harmless, because the entry is committed once.
 */
export const INSPECTION_TIMES: InspectionTimes = { waitMs: 10_000, leaseMs: 30_000, resumeAfterMs: 15_000 };

// One for each decoder: a third picture would wait for a decoder before agents whose turn comes first.
const TURNS = 2;
// Two pictures are decoded while others are stored and entered. The bytes of the largest take 80 MB together.
const UNFINISHED = 4;
// A waiting inspection holds no bytes. Beyond this number, a request stays recorded and the job resumes it.
const MAX_WAITING = 10_000;
const RETRY_MS = 5_000;
const STOP_MS = 5_000;

/** Creates the inspections of one process. */
export function createInspections(deps: InspectionDeps): Inspections {
  const turns = createFairQueue({ turns: TURNS, unfinished: UNFINISHED, maxWaiting: MAX_WAITING });
  /** By file and time of its request. */
  const flights = new Map<string, Promise<ConfirmedEntry | null>>();
  /** By agent and submission. */
  const requests = new Map<string, Promise<ConfirmedEntry>>();

  async function fly(file: RequestedFile): Promise<ConfirmedEntry | null> {
    try {
      const version = await uploadedVersion(deps, file);
      const entry = await turns.run(file.agentId, (endTurn) => inspectLeased(deps, file, version, endTurn));
      return entry ?? (await readResult(deps, file));
    } catch (error) {
      // Maybe no request waits for it any more.
      if (!(error instanceof DomainError))
        deps.log.warn({ submissionId: file.submissionId, err: error }, 'an inspection failed and will be repeated');
      throw error;
    }
  }

  return {
    times: deps.inspectionTimes,
    joined: (key, confirm) => join(requests, key, confirm),
    inspect: (file) => join(flights, `${file.fileId} ${file.requestedAt.getTime()}`, () => fly(file)),
    async stop() {
      turns.close();
      await Promise.race([Promise.allSettled(flights.values()), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Starts the work, or returns the one that runs under this key. */
function join<T>(running: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const known = running.get(key);
  if (known) return known;
  const started = start().finally(() => running.delete(key));
  running.set(key, started);
  return started;
}

/** Reads no byte of the picture. Without this, an agent could request first and upload while its request waits. */
async function uploadedVersion(deps: InspectionDeps, file: RequestedFile): Promise<string> {
  const stored = await deps.storage.head(file.uploadKey);
  if (stored) return stored.version;
  await endRequest(deps.db, file);
  throw notUploaded();
}

function notUploaded(): DomainError {
  return new DomainError('FILE_NOT_FOUND', 'The file is not in storage. PUT it to the upload URL, then confirm again.');
}

/** Returns null when another process has the file, or its request has ended. */
async function inspectLeased(
  deps: InspectionDeps,
  file: RequestedFile,
  version: string,
  endTurn: () => void,
): Promise<ConfirmedEntry | null> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.inspectionTimes.leaseMs);
  if (!(await leaseInspection(deps.db, file, now, leaseUntil))) return null;
  try {
    const kept = await judgeAndKeep(deps, file, version, endTurn);
    return await enterKept(deps, file, kept);
  } catch (error) {
    if (error instanceof DomainError) await endRequest(deps.db, file);
    else await releaseInspection(deps.db, file.fileId, new Date(deps.clock.now().getTime() + RETRY_MS));
    throw error;
  }
}

/** Returns what another process found; null while it still inspects, or when its lease has run out. */
async function readResult(
  deps: InspectionDeps,
  { fileId, submissionId, requestedAt }: RequestedFile,
): Promise<ConfirmedEntry | null> {
  const [file, submission] = await Promise.all([findFile(deps.db, fileId), findSubmission(deps.db, submissionId)]);
  if (submission?.submitted_at && file?.status === 'completed') return confirmedEntry(submission);
  if (file?.status === 'refused') throw pictureRefused(file.refused_reason);
  if (file?.status === 'pending' && file.confirm_requested_at?.getTime() === requestedAt.getTime()) return null;
  throw new DomainError('MEDIA_FILE_NOT_FOUND', 'This confirmation ended without a result. Confirm again.');
}

type ConfirmedRow = Pick<SubmissionRow, 'id' | 'created_at' | 'submitted_at' | 'entry_fee_paid_micro'>;

export function confirmedEntry(row: ConfirmedRow): ConfirmedEntry {
  const confirmedAt = row.submitted_at ?? row.created_at;
  const seconds = generationTimeSeconds(row.created_at, confirmedAt);
  return { submissionId: row.id, generationTimeSeconds: seconds, confirmedAt, feePaidMicro: row.entry_fee_paid_micro };
}

/** Returns the error for a picture that the service does not accept. */
export function pictureRefused(reason: string | null): DomainError {
  const message = `${reason ?? 'the picture was refused'}. Request a new upload URL; it costs nothing`;
  return validationError([{ field: 'file', message }]);
}

type Kept = { facts: ImageFacts; originalKey: string };

async function judgeAndKeep(
  deps: InspectionDeps,
  file: RequestedFile,
  version: string,
  endTurn: () => void,
): Promise<Kept> {
  const { projectId, submissionId, sizeBytes, contentType } = file;
  const bytes = await deps.storage.read(file.uploadKey, sizeBytes);
  const read = await deps.storage.head(file.uploadKey);
  if (!bytes || !read) throw notUploaded();
  // The time of the request counts only for the picture that was there.
  if (read.version !== version)
    throw new DomainError('FILE_NOT_FOUND', 'Another file was uploaded after the confirmation. Confirm again.');
  const facts = await judge(deps, file, bytes);
  // The decoder is free, and storing needs none.
  endTurn();
  // The upload URL works until it expires, so the inspected bytes are kept where no URL can write. Each inspection uses
  // its own key, because an earlier one of the same file may have read other bytes.
  const originalKey = `originals/${projectId}/${submissionId}/${deps.newId()}`;
  await deps.storage.write(originalKey, bytes, contentType);
  return { facts, originalKey };
}

async function judge(deps: InspectionDeps, file: RequestedFile, bytes: Buffer): Promise<ImageFacts> {
  const { fileId, sizeBytes, contentType } = file;
  try {
    if (bytes.length !== sizeBytes) {
      throw new ImageRejected(`the file has ${bytes.length} bytes, ${sizeBytes} were declared`);
    }
    return await deps.inspectImage(bytes, { contentType });
  } catch (error) {
    if (!(error instanceof ImageRejected)) throw error;
    await refuseFile(deps.db, fileId, error.message);
    throw pictureRefused(error.message);
  }
}

async function enterKept(deps: InspectionDeps, file: RequestedFile, kept: Kept): Promise<ConfirmedEntry> {
  try {
    const entry = await enter(deps, { ...file, ...kept });
    // Renders the public copies now, so that the first visitor of the gallery does not wait for them.
    deps.publicCopies.prepare(file.fileId);
    return entry;
  } catch (error) {
    // A rule refused the entry, so nothing was committed and nothing refers to the original. After any other failure,
    // the commit may have happened, and the original may be needed.
    if (error instanceof DomainError) await discard(deps, kept.originalKey);
    throw error;
  }
}

async function discard({ storage, log }: InspectionDeps, originalKey: string): Promise<void> {
  await storage.remove(originalKey).catch((error: unknown) => {
    log.warn({ err: error }, 'a picture that was not entered could not be removed');
  });
}
