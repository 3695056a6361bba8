import type { PublicProject } from './project-data.ts';
import { useTerms } from './project-rules.tsx';

const USUAL_EXTENSION_SECONDS = 86_400;

type Postponed = Pick<
  PublicProject,
  'id' | 'terms_version' | 'auto_select_deadline' | 'latest_deadline' | 'total_submissions'
>;

/**
 * Returns the latest time to which the poster may move the deadline, or null if there is none. After an entry, the deadline
 * moves once, by at most the extension of the terms. Projects do not say whether it has moved.
 */
export function useLatestDeadline(project: Postponed): string | null {
  const { auto_select_deadline: deadline, latest_deadline: latest, total_submissions: entries } = project;
  const { data } = useTerms(project);
  if (latest === null || entries === 0) return latest;
  const seconds = data?.terms.extension_seconds ?? USUAL_EXTENSION_SECONDS;
  const extended = Date.parse(deadline) + seconds * 1000;
  return extended < Date.parse(latest) ? new Date(extended).toISOString() : latest;
}
