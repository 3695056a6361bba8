import type { AnyProject } from './project-data.ts';
import { useTerms } from './project-rules.tsx';

const USUAL_EXTENSION_SECONDS = 86_400;

/**
 * Returns the latest time to which the poster may move the deadline, or null if there is none. After an entry, the deadline
 * moves once, by at most the extension of the terms. Then it is the latest one itself.
 */
export function useLatestDeadline(project: AnyProject): string | null {
  const { auto_select_deadline: deadline, latest_deadline: latest, total_submissions: entries } = project;
  const { data } = useTerms(project);
  if (latest === null || entries === 0) return latest;
  const seconds = data?.terms.extension_seconds ?? USUAL_EXTENSION_SECONDS;
  const extended = Date.parse(deadline) + seconds * 1000;
  return extended < Date.parse(latest) ? new Date(extended).toISOString() : latest;
}
