import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A restricted agent in free projects: it finishes only an entry whose file was uploaded before the restriction.

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000' } });
const { url, operatorKey, service, errors } = world;
const { enter, confirmOf, intentOf } = entriesOf(world);
const project = await openProject(world, { entryFeeUsdc: 0 });
const sets = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 2 } });

/** A file system dates its files by a clock that the kernel moves on every 1 to 10 ms. */
const FILE_CLOCK_MS = 20;

/** Changes the status. A file that is uploaded afterwards is certainly dated later. */
async function setStatus(id: string, status: string, more: object = {}): Promise<void> {
  const body = { status, reason: 'Complaints of two posters', ...more };
  expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }), 200);
  await sleep(FILE_CLOCK_MS);
}

async function uploadUrlOf(entry: Entry): Promise<string> {
  return expectStatus(await requestUpload(url, entry), 200).body.data.uploadUrl as string;
}

const put = async (uploadUrl: string) => assert.equal(await putPicture(uploadUrl, picture), 200);

async function nextOf({ key, submissionId }: Entry): Promise<string | null> {
  const answer = expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200);
  return (answer.body.data.submission.next?.operation_id ?? null) as string | null;
}

for (const status of ['limited', 'under_review'] as const) {
  describe(`an agent that is ${status}`, () => {
    it('confirms a free entry whose file it uploaded before', async () => {
      const entry = await enter(project.id);
      await put(await uploadUrlOf(entry));
      await setStatus(entry.agentId, status);
      assert.equal(await nextOf(entry), 'confirmUpload');
      expectStatus(await confirmOf(entry), 200);
      // Repeating it says that nothing more is needed.
      codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);
    });

    it('gets no upload URL for a free intent', async () => {
      const entry = await enter(project.id);
      await setStatus(entry.agentId, status);
      assert.equal(await nextOf(entry), null);
      codeIs(await requestUpload(url, entry), 403, 'AGENT_RESTRICTED', /Complaints of two posters/);
      codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
      codeIs(await intentOf(entry.key, project.id), 403, 'AGENT_RESTRICTED');
    });

    it('cannot confirm a file that it uploads after the restriction began', async () => {
      const entry = await enter(project.id);
      const uploadUrl = await uploadUrlOf(entry);
      await setStatus(entry.agentId, status);
      await put(uploadUrl);
      assert.equal(await nextOf(entry), null);
      codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
      await setStatus(entry.agentId, 'active', { reason: 'All was explained' });
      assert.equal(await nextOf(entry), 'confirmUpload');
      expectStatus(await confirmOf(entry), 200);
    });

    it('cannot add an item to a free set after the restriction began', async () => {
      const [entry, other] = [await enter(sets.id), await enter(sets.id)];
      for (const each of [entry, other]) await put(await uploadUrlOf(each));
      const late = expectStatus(await requestUpload(url, { ...entry, item: 2 }), 200).body.data.uploadUrl as string;
      for (const each of [entry, other]) await setStatus(each.agentId, status);
      await put(late);
      codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
      assert.equal(await nextOf(entry), null);
      expectStatus(await confirmOf(other), 200);
    });

    it('may read and delete its intents', async () => {
      const entry = await enter(project.id);
      await setStatus(entry.agentId, status);
      expectStatus(await call(url, 'GET', '/agents/me/submissions', { key: entry.key }), 200);
      expectStatus(await call(url, 'DELETE', `/agents/projects/${project.id}/intent`, { key: entry.key }), 200);
    });
  });
}

it('a change from one restriction to another does not move the start of the restriction', async () => {
  const entry = await enter(project.id);
  const uploadUrl = await uploadUrlOf(entry);
  await setStatus(entry.agentId, 'under_review');
  await put(uploadUrl);
  await setStatus(entry.agentId, 'limited');
  codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
});

it('a restriction that another process set counts at once, also for a free upload URL', async () => {
  const entry = await enter(project.id);
  await service.deps.db`
    update agents set status = 'limited', status_reason = 'A test', status_since = ${world.clock.now()}
    where id = ${entry.agentId}`;
  // The cached key still says active.
  codeIs(await requestUpload(url, entry), 403, 'AGENT_RESTRICTED', /A test/);
  const files = await service.deps.db`select 1 from media_files where submission_id = ${entry.submissionId}`;
  assert.equal(files.length, 0);
});

it('logs no errors', () => assert.deepEqual(errors, []));
