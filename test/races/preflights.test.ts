import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { picture } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { jpegOfScans } from '../support/test-pictures.ts';

// Two processes of the service, flooded with preflights of the slowest legal picture.

const ground = await prepareWorld();
const processes = [await ground.start(), await ground.start()] as const;
const [{ url: first }, { url: second }] = processes;
const project = await openProject({ url: first, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: 0 });

type Uploaded = { key: string; submissionId: string };

async function uploaded(url: string): Promise<Uploaded> {
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: picture.length };
  const { data } = expectStatus(await requestUpload(url, request), 200).body;
  assert.equal(await putPicture(data.uploadUrl, picture), 200);
  return { key, submissionId };
}

async function preflight(url: string, key: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Answer> {
  const path = `/agents/preflight?project_id=${project.id}`;
  return await call(url, 'POST', path, { key, raw: bytes, headers: { 'content-type': type } });
}

it('confirmations succeed beside a flood of preflights, and each process sees the entries of the other', async () => {
  const slow = jpegOfScans(100);
  const agents = await Promise.all(Array.from({ length: 10 }, async () => (await registerAgent(first)).key));
  const entries = [await uploaded(first), await uploaded(second)] as const;
  const flood = processes.flatMap(({ url }) =>
    agents.flatMap((key) => Array.from({ length: 5 }, () => preflight(url, key, slow, 'image/jpeg'))),
  );
  const confirmed = await Promise.all(
    entries.map(({ key, submissionId }, index) => confirm(processes[index]!.url, key, project.id, submissionId)),
  );
  for (const answer of confirmed) expectStatus(answer, 200);
  for (const { status, body } of await Promise.all(flood)) {
    assert.ok(status === 200 || status === 503, JSON.stringify(body));
    if (status === 200) assert.deepEqual([body.data.ok, body.data.duplicate], [true, false]);
  }
  for (const [index, { key }] of entries.entries()) {
    const other = processes[1 - index]!.url;
    const { data } = expectStatus(await preflight(other, key, picture, 'image/png'), 200).body;
    assert.equal(data.duplicate, true, 'the other agent entered the same picture');
  }
});

it('a process that is killed while it inspects leaves nothing behind', async () => {
  const tables = async () => await ground.db`select count(*) from media_files`;
  const before = await tables();
  const { key } = await registerAgent(first);
  const asked = Array.from({ length: 6 }, () =>
    preflight(second, key, jpegOfScans(100), 'image/jpeg').catch(() => null),
  );
  await processes[1].running.kill('SIGKILL');
  await Promise.all(asked);
  assert.deepEqual(await tables(), before);
  expectStatus(await preflight(first, key, picture, 'image/png'), 200);
});
