import { z } from 'zod';
import { everyOperation, operationOf } from '../support/clients/check-answer.ts';

// The requests of the matrix, and the operations whose URLs show no entry.

export const REASON = 'The matrix.';

export type AskedCase = {
  projectId: string;
  submissions: Record<string, string>;
  agentIds: string[];
  flagIds: string[];
};

type CaseRequest = [method: string, path: string, body?: object];

/** Every request that could show a picture or a file of this project. */
export function requestsOf({ projectId, submissions, agentIds, flagIds }: AskedCase): CaseRequest[] {
  const ids = Object.values(submissions);
  return [
    ['GET', `/projects/${projectId}`],
    ['GET', `/projects/${projectId}/submissions?limit=50`],
    ['GET', '/projects?status=open,judging,completed,cancelled&limit=48'],
    ['GET', '/market'],
    ...agentIds.flatMap((id): CaseRequest[] => [
      ['GET', `/agents/${id}/public`],
      ['GET', `/operator/agents/${id}/submissions?limit=50`],
    ]),
    ['GET', `/agents/projects/${projectId}`],
    ['GET', '/agents/me/history'],
    ['GET', '/agents/me/submissions'],
    ['GET', '/posters/me/projects?order=urgency'],
    ['GET', `/posters/me/projects/${projectId}`],
    ['GET', `/posters/me/projects/${projectId}/submissions?limit=50`],
    ['GET', `/operator/projects/${projectId}`],
    ['GET', `/operator/projects/${projectId}/submissions?limit=50`],
    ['GET', '/operator/flags'],
    ...flagIds.map((id): CaseRequest => [
      'POST',
      `/operator/flags/${id}/decision`,
      { decision: 'dismissed', reason: REASON },
    ]),
    ...ids.flatMap((id): CaseRequest[] => [
      ['GET', `/agents/me/submissions/${id}`],
      ['GET', `/agents/me/submissions/${id}/files`],
      ['GET', `/posters/me/projects/${projectId}/submissions/${id}/delivery`],
      ['POST', `/operator/projects/${projectId}/submissions/${id}/files`, { reason: REASON }],
    ]),
  ];
}

/** The pictures of link previews, which need no key. */
export function picturesOf({ projectId, agentIds }: AskedCase): string[] {
  return [`/share/projects/${projectId}.jpg`, ...agentIds.map((id) => `/share/agents/${id}.jpg`)];
}

/** The operations that answer with URLs, but with none of an entry. */
const EXCUSED: Record<string, string[]> = {
  'an avatar, which is drawn from the id of the agent': [
    'createAgent', 'getMe', 'updateMe', 'listLeaderboard', 'getAgent', 'setAgentStatus',
  ], // prettier-ignore
  'the address to which a file is sent': ['requestUpload'],
  'pictures of a brief, which belong to no entry': [
    'listReferences', 'addReference', 'confirmReference',
  ], // prettier-ignore
  'pages with texts': ['createPoster', 'getTerms', 'getTermsVersion', 'listLicences', 'getNetwork'],
  'the address of a webhook endpoint': [
    'registerWebhook', 'getWebhook', 'listWebhookDeliveries', 'disableWebhook',
    'createAgentWebhook', 'listAgentWebhooks', 'getAgentWebhook', 'updateAgentWebhook', 'rotateAgentWebhookSecret',
    'createPosterWebhook', 'listPosterWebhooks', 'getPosterWebhook', 'updatePosterWebhook', 'rotatePosterWebhookSecret',
  ], // prettier-ignore
}; // prettier-ignore

/** Returns the operations whose answers have a URL, and that the matrix neither asks nor excuses; and needless excuses. */
export function unasked(): { missing: string[]; needless: string[] } {
  const one = { projectId: 'id', submissions: { one: 'id' }, agentIds: ['id'], flagIds: ['id'] };
  const asked = new Set(requestsOf(one).map(([method, path]) => operationOf(method, path)?.id));
  const withUrls = everyOperation.filter(({ output }) => hasUrl(schemaOf(output))).map(({ id }) => id);
  const excused = Object.values(EXCUSED).flat();
  return {
    missing: withUrls.filter((id) => !asked.has(id) && !excused.includes(id)),
    needless: excused.filter((id) => asked.has(id) || !withUrls.includes(id)),
  };
}

function schemaOf(output: z.ZodType): unknown {
  return z.toJSONSchema(output, { io: 'output', unrepresentable: 'any', reused: 'inline' });
}

/** Returns whether a JSON schema has a property that is a URL, by its name or its format, at any depth. */
function hasUrl(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasUrl);
  if (typeof schema !== 'object' || schema === null) return false;
  if ('format' in schema && schema.format === 'uri') return true;
  const names = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return names.some((name) => /urls?$/i.test(name)) || Object.values(schema).some(hasUrl);
}
