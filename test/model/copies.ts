import assert from 'node:assert/strict';
import type { Snapshot } from './snapshot.ts';

/** Whether an entry has exactly the picture of an earlier one. `entries` come in the order of their confirmation. */
export function isCopy(pictures: ReadonlyMap<string, Buffer>, entries: { id: string }[], id: string): boolean {
  const picture = pictures.get(id);
  const earlier = entries.slice(
    0,
    entries.findIndex((entry) => entry.id === id),
  );
  return picture !== undefined && earlier.some((entry) => pictures.get(entry.id)?.equals(picture) ?? false);
}

/** Asserts that a flag names two entries of two agents with one picture, and the later one as the copy. */
export function checkFlags(pictures: ReadonlyMap<string, Buffer>, { flags, submissions }: Snapshot): void {
  const known = new Map(submissions.map((submission) => [submission.id, submission]));
  for (const { id, submission_id, other_submission_id } of flags) {
    const [later, earlier] = [known.get(submission_id), known.get(other_submission_id)];
    assert.ok(later && earlier && later.agent_id !== earlier.agent_id, `flag ${id} is not of two agents`);
    assert.deepEqual(pictures.get(later.id), pictures.get(earlier.id), `flag ${id} is not of one picture`);
    const after = Date.parse(later.submitted_at ?? '') - Date.parse(earlier.submitted_at ?? '');
    assert.ok(after > 0 || (after === 0 && later.id > earlier.id), `flag ${id} names the earlier entry as the copy`);
  }
}
