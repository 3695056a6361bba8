import type { ApiData } from './client.ts';

// What the public pages are given by the API.

export type MarketProject = ApiData<'GET /projects'>['projects'][number];
export type PublicProject = ApiData<'GET /projects/{project_id}'>['project'];
export type PublicEntry = ApiData<'GET /projects/{project_id}/submissions'>['submissions'][number];
export type PublicAgent = ApiData<'GET /agents/{agent_id}/public'>;
