import type { ImageType } from './pictures.ts';

/** A file whose confirmation was requested. */
export type RequestedFile = {
  fileId: string;
  submissionId: string;
  projectId: string;
  agentId: string;
  /** The key in the storage that the upload URL writes. */
  uploadKey: string;
  contentType: ImageType;
  sizeBytes: number;
  requestedAt: Date;
};

/** A confirmed entry. `confirmedAt` is when the agent requested the confirmation. */
export type ConfirmedEntry = {
  submissionId: string;
  generationTimeSeconds: number;
  confirmedAt: Date;
  feePaidMicro: number;
};

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
   * Inspects the file and confirms its submission, or joins the inspection that is under way. Agents take turns. Goes
   * on when no caller waits any more. Null: another process inspects the file, or did and was killed. Ask again.
   *
   * @throws DomainError when the request ended without an entry. Any other error leaves the request recorded: it is
   *   inspected again later.
   */
  inspect(file: RequestedFile): Promise<ConfirmedEntry | null>;
  /** Runs `confirm`, or joins the one that runs for the same key: a request sent many times costs one. */
  joined(key: string, confirm: () => Promise<ConfirmedEntry>): Promise<ConfirmedEntry>;
  /** Starts no more inspections, and waits for those under way. */
  stop(): Promise<void>;
};
