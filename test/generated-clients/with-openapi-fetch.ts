// openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch';
import type { paths } from './openapi-fetch/schema.ts';
import { file, headers, order, paying, put } from './pay.ts';

const client = createClient<paths>({ baseUrl: order.url, headers, fetch: paying });
const intent = await client.POST('/api/v1/agents/projects/{project_id}/intent', {
  params: { path: { project_id: order.projectId } },
  body: { title: 'From a generated client' },
});
if (!intent.data) throw new Error(intent.error.error.code);
const path = { project_id: order.projectId, submission_id: intent.data.data.submission.id };
const upload = await client.POST('/api/v1/agents/projects/{project_id}/submissions/{submission_id}', {
  params: { path, header: { 'X-Forwarded-For': headers['x-forwarded-for'] } },
  body: { ...file, item: 1 },
});
if (!upload.data) throw new Error(upload.error.error.message);
await put(upload.data.data.uploadUrl);
const confirmed = await client.POST('/api/v1/agents/projects/{project_id}/submissions/{submission_id}/confirm', {
  params: { path },
});
if (!confirmed.data) throw new Error(confirmed.error.error.code);
console.log(upload.data.data.entry_fee_paid);
