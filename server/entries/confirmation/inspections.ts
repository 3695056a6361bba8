import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import {
  type ConfirmableFile,
  endConfirmation,
  leaseInspection,
  listItemFiles,
  releaseInspection,
} from './inspection-queries.ts';
import { incomplete, missingItems, picturesRefused } from './items.ts';
import { findPublished } from '../../projects/public.ts';
import { absent, inspectAndKeep, lookAt, type UploadedFile } from './inspect-file.ts';
import { type FileResult, recordInspectionResults } from './record-results.ts';
import { findSubmission, type SubmissionRow } from '../queries.ts';
import { generationTimeSeconds } from '../state.ts';
import type {
  Confirmed,
  ConfirmedEntry,
  Inspections,
  InspectionTimes,
  ItemFile,
  RequestedConfirmation,
} from '../types.ts';

export type InspectionDeps = Pick<
  Deps,
  'db' | 'clock' | 'config' | 'newId' | 'storage' | 'inspectImage' | 'pictureTurns' | 'publicCopies' | 'log'
> & { inspectionTimes: InspectionTimes };

/**
 * A request waits for 5 s, as a payment does: an agent gets an answer within 6 s. The lease is longer than an
 * inspection; one that takes longer is harmless, because the entry is committed once.
 */
export const INSPECTION_TIMES: InspectionTimes = { waitMs: 5_000, leaseMs: 30_000, resumeAfterMs: 15_000 };

const RETRY_MS = 5_000;
const STOP_MS = 5_000;
const RELEASE_MS = 500;

/** Creates the inspections of one process. */
export function createInspections(deps: InspectionDeps): Inspections {
  const { pictureTurns: turns } = deps;
  /** By submission and time of its request. */
  const running = new Map<string, Promise<ConfirmedEntry | null>>();
  /** By agent and submission. */
  const requests = new Map<string, Promise<Confirmed>>();

  async function inspectInTurn(
    confirmation: RequestedConfirmation,
    file: UploadedFile,
  ): Promise<ConfirmedEntry | null> {
    return await turns.run(confirmation.agentId, (endTurn) => inspectLeased(deps, confirmation, file, endTurn));
  }

  async function inspectFiles(confirmation: RequestedConfirmation): Promise<ConfirmedEntry | null> {
    try {
      const uploaded = await uploadedFiles(deps, confirmation);
      const inspected = await Promise.allSettled(uploaded.map((file) => inspectInTurn(confirmation, file)));
      return resultOf(inspected) ?? (await readResult(deps, confirmation));
    } catch (error) {
      // Maybe no request waits for it any more.
      if (!(error instanceof DomainError))
        deps.log.warn(
          { submissionId: confirmation.submissionId, err: error },
          'an inspection failed and will be repeated',
        );
      throw error;
    }
  }

  return {
    times: deps.inspectionTimes,
    joined: (key, confirm) => join(requests, key, confirm),
    inspect: (confirmation) =>
      join(running, `${confirmation.submissionId} ${confirmation.requestedAt.getTime()}`, () =>
        inspectFiles(confirmation),
      ),
    async giveUp(confirmation) {
      await finish(
        deps,
        confirmation,
        confirmation.files.map((file) => absent(file)),
      );
    },
    async stop() {
      turns.close();
      await Promise.race([Promise.allSettled(running.values()), sleep(STOP_MS, undefined, { ref: false })]);
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

/** The entry comes with the last file. A refusal says more than a failure that is repeated. */
function resultOf(inspected: PromiseSettledResult<ConfirmedEntry | null>[]): ConfirmedEntry | null {
  const entry = inspected.find((each) => each.status === 'fulfilled' && each.value !== null);
  if (entry?.status === 'fulfilled') return entry.value;
  const rejected = inspected.filter((each) => each.status === 'rejected');
  const reasons = rejected.map(({ reason }) => reason as unknown);
  if (reasons.length === 0) return null;
  throw reasons.find((reason) => reason instanceof DomainError) ?? reasons[0];
}

/**
 * Looks which files are in storage, and goes on without the others. Reads no byte of a picture. Without this, an agent
 * could request first and upload while its request waits.
 */
async function uploadedFiles(deps: InspectionDeps, confirmation: RequestedConfirmation): Promise<UploadedFile[]> {
  const { files, itemsNeeded } = confirmation;
  const looks = await Promise.all(files.map((file) => lookAt(deps, confirmation, file)));
  const uploaded = looks.filter((look) => 'version' in look);
  const missing = looks.filter((look) => 'kind' in look);
  // Too few files end a confirmation that needs more, before any of them takes a turn.
  if (missing.length > 0 || uploaded.length < (itemsNeeded ?? 0)) await finish(deps, confirmation, missing);
  return uploaded;
}

/** Returns null while other files of the confirmation wait, and when another process has the file or has its result. */
async function inspectLeased(
  deps: InspectionDeps,
  confirmation: RequestedConfirmation,
  { file, version }: UploadedFile,
  endTurn: () => void,
): Promise<ConfirmedEntry | null> {
  const { requestedAt } = confirmation;
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.inspectionTimes.leaseMs);
  if (!(await leaseInspection(deps.db, { fileId: file.fileId, requestedAt }, now, leaseUntil))) return null;
  try {
    return await finish(deps, confirmation, [await inspectAndKeep(deps, confirmation, { file, version }, endTurn)]);
  } catch (error) {
    if (!(error instanceof DomainError)) void release(deps, { fileId: file.fileId, leaseUntil });
    throw error;
  }
}

/** Tries until the lease ends: without a database, the file would stay with this process for the whole lease. */
async function release(
  { db, clock, inspectionTimes }: InspectionDeps,
  lease: { fileId: string; leaseUntil: Date },
): Promise<void> {
  for (const end = performance.now() + inspectionTimes.leaseMs; performance.now() < end;) {
    const retryAt = new Date(clock.now().getTime() + RETRY_MS);
    const isReleased = await releaseInspection(db, lease, retryAt).then(
      () => true,
      () => false,
    );
    if (isReleased) return;
    await sleep(RELEASE_MS, undefined, { ref: false });
  }
}

/**
 * Records results. Returns the entry if these were the last ones, and null while others are missing.
 *
 * @throws DomainError when the confirmation has ended without an entry
 */
async function finish(
  deps: InspectionDeps,
  confirmation: RequestedConfirmation,
  results: FileResult[],
): Promise<ConfirmedEntry | null> {
  const kept = results.flatMap((result) => (result.kind === 'accepted' ? [result.originalKey] : []));
  const recorded = await recordInspectionResults(deps, confirmation, results).catch(async (error: unknown) => {
    // A rule refused the entry, so nothing was committed, and nothing refers to the originals. After any other failure,
    // the commit may have happened, and the originals may be needed.
    if (error instanceof DomainError) await discard(deps, [...kept, ...(await endConfirmation(deps.db, confirmation))]);
    throw error;
  });
  if (recorded.kind === 'open') return null;
  if (recorded.kind === 'entered') {
    const { entry } = recorded;
    // Renders the public copies now, so that the first visitor of the gallery does not wait for them.
    for (const { fileId, status } of entry.files) if (status === 'completed') deps.publicCopies.prepare(fileId);
    return entry;
  }
  await discard(deps, recorded.kind === 'ended' ? recorded.originals : kept);
  if (recorded.kind === 'ended') throw recorded.error;
  return null;
}

/** Returns what another process found; null while it still inspects, or when its lease has run out. */
async function readResult(deps: InspectionDeps, confirmation: RequestedConfirmation): Promise<ConfirmedEntry | null> {
  const { submissionId, requestedAt } = confirmation;
  // The files are read after the submission, because those of an entry were completed with it.
  const submission = await findSubmission(deps.db, submissionId);
  const files = await listItemFiles(deps.db, submissionId);
  if (submission?.submitted_at) return confirmedEntry(submission, files);
  const ofRequest = files.filter((file) => file.requestedAt?.getTime() === requestedAt.getTime());
  // Completed: the entry was committed between the two reads.
  if (ofRequest.some(({ status }) => status === 'pending' || status === 'completed')) return null;
  const lacking = await lackingItems(deps, confirmation, files);
  if (lacking) throw lacking;
  const refused = ofRequest.filter(({ status }) => status === 'refused');
  if (refused.length > 0) throw picturesRefused(refused);
  throw new DomainError('MEDIA_FILE_NOT_FOUND', 'This confirmation ended without a result. Confirm again.');
}

/** Returns the error of a confirmation that needed more items than were there, or null. */
async function lackingItems(
  deps: InspectionDeps,
  { projectId, requestedAt, itemsNeeded }: RequestedConfirmation,
  files: ConfirmableFile[],
): Promise<DomainError | null> {
  if (itemsNeeded === null) return null;
  const there = files.filter(({ endedAt }) => endedAt?.getTime() === requestedAt.getTime());
  const project = await findPublished(deps.db, projectId);
  if (!project || there.length >= itemsNeeded) return null;
  const { itemCount } = project;
  const isThere = ({ fileId }: ItemFile) => there.some((file) => file.fileId === fileId);
  return incomplete({ itemsNeeded, itemCount }, missingItems(files, itemCount, isThere));
}

type ConfirmedRow = Pick<SubmissionRow, 'id' | 'created_at' | 'submitted_at' | 'entry_fee_paid_micro'>;

export function confirmedEntry(row: ConfirmedRow, files: ItemFile[]): ConfirmedEntry {
  const confirmedAt = row.submitted_at ?? row.created_at;
  const seconds = generationTimeSeconds(row.created_at, confirmedAt);
  const { id: submissionId, entry_fee_paid_micro: feePaidMicro } = row;
  return { submissionId, generationTimeSeconds: seconds, confirmedAt, feePaidMicro, files };
}

async function discard({ storage, log }: InspectionDeps, originalKeys: string[]): Promise<void> {
  const removed = await Promise.allSettled(originalKeys.map((key) => storage.remove(key)));
  for (const each of removed)
    if (each.status === 'rejected')
      log.warn({ err: each.reason as unknown }, 'a picture that was not entered could not be removed');
}
