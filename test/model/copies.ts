import assert from 'node:assert/strict';
import type { Snapshot } from './snapshot.ts';

/** The entries that are a later copy, as the operator and the comparison say now. */
export function copiesIn({ flags }: Pick<Snapshot, 'flags'>): Set<string> {
  return new Set(flags.filter(({ decision }) => decision !== 'dismissed').map(({ submission_id }) => submission_id));
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
