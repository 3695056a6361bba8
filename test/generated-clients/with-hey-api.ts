// @hey-api/openapi-ts with its client for fetch.
import { client } from './hey-api/client.gen.ts';
import { confirmUpload, createIntent, requestUpload } from './hey-api/sdk.gen.ts';
import { file, headers, order, paying, put } from './pay.ts';

client.setConfig({ baseUrl: order.url, headers, fetch: paying });
const intent = await createIntent({
  path: { project_id: order.projectId },
  body: { title: 'From a generated client' },
  throwOnError: true,
});
const path = { project_id: order.projectId, submission_id: intent.data.data.submission.id };
const upload = await requestUpload({
  path,
  headers: { 'X-Forwarded-For': headers['x-forwarded-for'] },
  body: file,
  throwOnError: true,
});
await put(upload.data.data.uploadUrl);
await confirmUpload({ path, throwOnError: true });
console.log(upload.data.data.entry_fee_paid);
