import type { SubmissionRow } from './queries.ts';

/** Returns a submission as answers show it. */
export function shownSubmission(row: SubmissionRow) {
  return { ...row, entry_fee_paid: row.entry_fee_paid_micro };
}
