import type { OwnProject } from '../account/own-projects.ts';

/** What every action on a project gets. */
export type ProjectActionsProps = { project: OwnProject; onChanged: (project: OwnProject) => void };
