import type { ApiData } from '../api/public.ts';

/** A project as every visitor may read it. */
export type PublicProject = ApiData<'GET /projects/{project_id}'>['project'];

/** A project as its poster or a visitor reads it. Both have the facts, the state, and the rules. */
export type AnyProject = PublicProject | ApiData<'GET /posters/me/projects/{project_id}'>['project'];

/** One entry in the gallery of a completed project. */
export type PublicEntry = ApiData<'GET /projects/{project_id}/submissions'>['submissions'][number];
