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

export async function closeEarly(url: string, { id, poster }: OpenProject): Promise<Answer> {
  return await call(url, 'POST', `/posters/me/projects/${id}/close`, { key: poster.key });
}

/** An upload request; `terms_hash` is what its sender agrees to. */
export type Asked = { key: string; projectId: string; submissionId: string; sizeBytes: number; terms_hash?: unknown };

/** Requests an upload URL under the terms that the agent names. */
export async function askUnder(
  url: string,
  { key, projectId, submissionId, sizeBytes, terms_hash }: Asked,
  { headers, ...options }: { headers?: Record<string, string>; fetch?: typeof fetch } = {},
): Promise<Answer> {
  return await call(url, 'POST', `/agents/projects/${projectId}/submissions/${submissionId}`, {
    key,
    body: { fileName: 'entry.png', fileType: 'image/png', fileSize: sizeBytes, terms_hash },
    headers: { 'x-forwarded-for': '203.0.113.7', ...headers },
    ...options,
  });
}
