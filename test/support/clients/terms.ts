import { type Answer, call } from './client.ts';
import { expectStatus, type OpenProject } from './journey.ts';

/** The terms of a project that everyone can see, as the service answers them. */
export async function termsOf(url: string, projectId: string, version?: number) {
  const path = version === undefined ? '' : `?version=${version}`;
  return expectStatus(await call(url, 'GET', `/projects/${projectId}/terms${path}`), 200).body.data;
}

export async function moveDeadline(url: string, { id, poster }: OpenProject, deadline: Date): Promise<Answer> {
  const body = { auto_select_deadline: deadline.toISOString() };
  return await call(url, 'PATCH', `/posters/me/projects/${id}`, { key: poster.key, body });
}
