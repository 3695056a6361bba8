import type { ImageType } from '../pictures/types.ts';

/** A file of a requested confirmation: one item of the entry. */
export type RequestedFile = {
  fileId: string;
  item: number;
  /** The key in the storage that the upload URL writes. */
  uploadKey: string;
  contentType: ImageType;
  sizeBytes: number;
};

/** A requested confirmation, with its files that are not inspected yet. */
export type RequestedConfirmation = {
  submissionId: string;
  projectId: string;
  agentId: string;
  requestedAt: Date;
  /** How many items the request needs; null if it takes those that are there. */
  itemsNeeded: number | null;
  files: RequestedFile[];
  /** A request asks for it while entries can be confirmed, so a file that is in storage now is in time. */
  isInTime?: boolean;
};

/** The newest file of an item. */
export type ItemFile = {
  fileId: string;
  item: number;
  status: 'pending' | 'completed' | 'superseded' | 'refused';
  refusedReason: string | null;
};

/** A confirmed entry. `confirmedAt` is when the agent requested the confirmation. */
export type ConfirmedEntry = {
  submissionId: string;
  generationTimeSeconds: number;
  confirmedAt: Date;
  feePaidMicro: number;
  /** The newest file of each item that got an upload URL, by item. The completed ones were entered. */
  files: ItemFile[];
};

/** The result of a confirmation, and how many items its project asks for. */
export type Confirmed = { entry: ConfirmedEntry; itemCount: number };

export type InspectionTimes = {
  /** How long a request waits for the result before it answers CONFIRMATION_PENDING. */
  waitMs: number;
  /** How long the process that inspects a file keeps other processes from it. */
  leaseMs: number;
  /** The job resumes requested inspections that are older. */
  resumeAfterMs: number;
};

/** The inspections of this process. */
export type Inspections = {
  times: InspectionTimes;
  /**
   * Inspects the files and confirms their submission, or joins the inspection that is under way. Each file takes a turn
   * of its agent. Goes on when no caller waits any more. Null: another process inspects a file, or did and was killed.
   * Ask again.
   *
   * @throws DomainError when the request ended without an entry. Any other error leaves the request recorded: the files
   *   without a result are inspected again later.
   */
  inspect(confirmation: RequestedConfirmation): Promise<ConfirmedEntry | null>;
  /** Goes on without these files, as if they had not been uploaded. */
  giveUp(confirmation: RequestedConfirmation): Promise<void>;
  /** Runs `confirm`, or joins the one that runs for the same key: a request sent many times costs one. */
  joined(key: string, confirm: () => Promise<Confirmed>): Promise<Confirmed>;
  /** Starts no more inspections, and waits for those under way. */
  stop(): Promise<void>;
};
