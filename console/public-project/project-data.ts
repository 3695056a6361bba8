import type { ApiData } from '../api/public.ts';

/** A project as every visitor may read it. */
export type PublicProject = ApiData<'GET /projects/{project_id}'>['project'];

/** One entry in the gallery of a completed project. */
export type PublicEntry = ApiData<'GET /projects/{project_id}/submissions'>['submissions'][number];
