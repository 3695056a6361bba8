import type { OwnProject } from '../account/public.ts';

/** What every action on a project gets. */
export type ProjectActionsProps = { project: OwnProject; onChanged: (project: OwnProject) => void };
