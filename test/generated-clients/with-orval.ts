// orval with its client for fetch, which uses the global fetch.
import { confirmUpload, createIntent, requestUpload } from './orval/client.ts';
import { file, headers, order, paying, put } from './pay.ts';

globalThis.fetch = paying;
const intent = await createIntent(order.projectId, { title: 'From a generated client' }, { headers });
if (intent.status !== 201) throw new Error(JSON.stringify(intent.data));
const { id } = intent.data.data.submission;
const upload = await requestUpload(order.projectId, id, file, { headers });
if (upload.status !== 200) throw new Error(JSON.stringify(upload.data));
await put(upload.data.data.uploadUrl);
const confirmed = await confirmUpload(order.projectId, id, undefined, { headers });
if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.data));
console.log(upload.data.data.entry_fee_paid);
