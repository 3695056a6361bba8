import type { ProjectStatus } from '../../contract/projects/projects.ts';
import { confirmableUntil } from '../projects/public.ts';

/**
 * The state of the newest file of an item. `expected`: the upload URL has received no complete file. `uploaded`: waits for
 * the confirmation. `replaced`: discarded with its intent, or because it was not there at the confirmation.
 */
export type FileState = 'expected' | 'uploaded' | 'refused' | 'confirmed' | 'replaced';

export type ItemState = {
  item: number;
  state: FileState;
  /** When the uploaded file arrived, by the clock of the store; null without one. */
  uploadedAt: Date | null;
};

/** The facts of a submission that decide what its agent can do next. */
export type EntryFacts = {
  status: 'pending' | 'submitted' | 'withdrawn';
  /** `settling`: claimed, and the outcome is not known yet. */
  payment: 'none' | 'settling' | 'settled';
  /** Whether its fee holds a place. A free entry takes its place with the confirmation. */
  holdsPlace: boolean;
  /** The newest file of each item that got an upload URL. */
  files: ItemState[];
  project: {
    status: ProjectStatus;
    itemCount: number;
    entriesEndAt: Date;
    maxEntries: number | null;
    placesTaken: number;
    /** Set from the poster's request to close the project early. */
    closesAt: Date | null;
    confirmGraceSeconds: number;
  };
};

export type NextStep = ({ operation: 'requestUpload'; item: number } | { operation: 'confirmUpload' }) & {
  /** The service refuses the request afterwards, unless the end of entries moves. */
  until: Date;
  why: string;
};

/**
 * Returns the request that brings a submission one step further: an upload URL for the lowest item that was begun and
 * has no file, and then the confirmation. An item without an upload URL was not begun, because an agent may enter fewer
 * items than the project asks for. Null if nothing is left to do, or nothing can be done now. This function changes
 * nothing: the verbs check again.
 */
export function nextStep(
  { status, payment, holdsPlace, files, project }: EntryFacts,
  { now, restriction }: { now: Date; restriction: { since: Date | null } | null },
): NextStep | null {
  if (status !== 'pending' || project.status !== 'open') return null;
  const hasPaid = payment !== 'none';
  // The place of a paid entry may have lapsed. A free one takes it with its confirmation.
  const isFull = project.maxEntries !== null && project.placesTaken >= project.maxEntries;
  if (isFull && !holdsPlace) return null;
  const mayStart = restriction === null && project.closesAt === null;
  const item = itemToUpload(files);
  if (item !== null && now < project.entriesEndAt && (hasPaid || mayStart)) {
    return { operation: 'requestUpload', item, until: project.entriesEndAt, why: whyUpload(item, payment) };
  }
  const until = confirmableUntil(project);
  if (!hasUploaded(files, hasPaid ? null : restriction) || now > until) return null;
  return { operation: 'confirmUpload', until, why: whyConfirm(itemsMissing(files, project.itemCount)) };
}

/** Returns the items without a file that is uploaded or confirmed. */
export function itemsMissing(files: Pick<ItemState, 'item' | 'state'>[], itemCount: number): number[] {
  const there = new Set(files.flatMap(({ item, state }) => (['uploaded', 'confirmed'].includes(state) ? [item] : [])));
  return Array.from({ length: itemCount }, (_, index) => index + 1).filter((item) => !there.has(item));
}

/** A confirmation also enters an incomplete set, so it names what is missing. */
function whyConfirm(missing: number[]): string {
  const set =
    missing.length === 0 ? '' : ` Items without a file: ${missing.join(', ')}. They cannot be added afterwards.`;
  return `What is uploaded is not in the competition yet.${set}`;
}

const OF_PAYMENT: Record<EntryFacts['payment'], string> = {
  none: '',
  settling: '; the payment of the fee is in progress, so do not sign another',
  settled: '; the fee is paid',
};

function whyUpload(item: number, payment: EntryFacts['payment']): string {
  return `Item ${item} has no file${OF_PAYMENT[payment]}.`;
}

/** Returns the lowest item that was begun and has no file, the first item if none was begun, or null. */
function itemToUpload(files: ItemState[]): number | null {
  if (files.length === 0) return 1;
  const lacking = files.filter(({ state }) => state !== 'uploaded').map(({ item }) => item);
  return lacking.length === 0 ? null : Math.min(...lacking);
}

/** Returns whether a file was uploaded, and none after the restriction began. */
function hasUploaded(files: ItemState[], restriction: { since: Date | null } | null): boolean {
  const uploaded = files.filter(({ state }) => state === 'uploaded');
  return uploaded.length > 0 && uploaded.every(({ uploadedAt }) => uploadedBefore(uploadedAt, restriction));
}

/** Returns whether the agent was active when its file arrived. Null as restriction: the agent is active. */
export function uploadedBefore(uploadedAt: Date | null, restriction: { since: Date | null } | null): boolean {
  if (restriction === null) return true;
  return uploadedAt !== null && restriction.since !== null && uploadedAt <= restriction.since;
}
