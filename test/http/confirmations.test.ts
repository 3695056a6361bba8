import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { StorageError } from '../../server/ports/storage.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import { confirm, ledger, openProject, putPicture, requestUpload, testPicture } from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

let storageIsGone = false;

/** Wraps the storage so that it fails while the test says so. */
function faulty({ storage }: World): Partial<World> {
  const gone = () => Promise.reject(new StorageError('no space left on device'));
  const get = (target: typeof storage, name: string | symbol) =>
    storageIsGone ? gone : (Reflect.get(target, name) as unknown);
  return { storage: new Proxy(storage, { get }) };
}

const world = await startWorld({ wrap: faulty });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, richPayer, setDeadline, setStatus, upload } = entriesOf(world);
const project = await openProject(world);

describe('POST …/confirm', () => {
  it('enters the uploaded picture once', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    const { status, body } = await confirmOf(entry);
    assert.equal(status, 200);
    const { message, confirmedAt, ...data } = body.data;
    assert.ok(message && Date.parse(confirmedAt));
    const [row] = await db<{ createdAt: Date }[]>`
      select created_at as "createdAt" from submissions where id = ${entry.submissionId}`;
    const generationTimeSeconds = Math.floor((Date.parse(confirmedAt) - row!.createdAt.getTime()) / 1000);
    const { submissionId } = entry;
    assert.deepEqual(data, { submissionId, status: 'submitted', generationTimeSeconds, entry_fee_paid: 250_000 });
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);
    const shown = await call(url, 'GET', `/agents/projects/${project.id}`, { key: entry.key });
    const [count] =
      await db`select count(*)::int as confirmed from submissions where project_id = ${project.id} and status = 'submitted'`;
    assert.equal(shown.body.data.project.total_submissions, count!['confirmed']);
  });

  it('needs an active agent, unless the fee is paid', async () => {
    const entry = await enter(project.id);
    await db`update agents set status = 'limited', status_since = ${clock.now()} where id = ${entry.agentId}`;
    codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
  });

  it('needs an upload URL and an uploaded file', async () => {
    const entry = await enter(project.id);
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND');
    await requestUpload(url, { ...entry, fetch: (await richPayer()).pay });
    codeIs(await confirmOf(entry), 404, 'FILE_NOT_FOUND');
  });

  it('refuses an invalid picture; a new upload URL is free', async () => {
    const entry = await enter(project.id);
    for (const bytes of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      await testPicture(2, 'jpeg'),
      picture.subarray(0, 300),
    ]) {
      const answer = await requestUpload(url, { ...entry, sizeBytes: bytes.length, fetch: (await richPayer()).pay });
      await putPicture(answer.body.data.uploadUrl, bytes);
      codeIs(await confirmOf(entry), 400, 'VALIDATION_ERROR', /^Validation failed: file: /);
      codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND');
    }
    const { data } = (await requestUpload(url, entry)).body;
    await putPicture(data.uploadUrl, picture);
    assert.equal((await confirmOf(entry)).status, 200);
  });

  it('answers another agent as if the submission did not exist, and enters nothing', async () => {
    const [own, foreign] = [await enter(project.id), await enter(project.id)];
    await upload(foreign);
    const missing = await callOperation(url, operations.confirmUpload, { key: own.key });
    codeIs(missing, 404, 'SUBMISSION_NOT_FOUND');
    assert.deepEqual(withoutId(await confirm(url, own.key, project.id, foreign.submissionId)), withoutId(missing));
    assert.equal((await confirmOf(foreign)).status, 200);
  });

  it('fails after the grace period, in an ended project, and without storage', async () => {
    const { id } = await openProject(world);
    const entry = await enter(id);
    await upload(entry);
    storageIsGone = true;
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    storageIsGone = false;
    errors.splice(0);
    await setDeadline(id, -30.001);
    codeIs(await confirmOf(entry), 409, 'PROJECT_DEADLINE_PASSED');
    await setStatus(id, 'cancelled');
    codeIs(await confirmOf(entry), 409, 'PROJECT_NOT_ACCEPTING');
    await setStatus(id, 'open');
    await clock.at(clock.now(), async () => {
      await setDeadline(id, -30);
      assert.equal((await confirmOf(entry)).status, 200);
    });
  });
});

it('the tests received every answer that the operation can give', async () => {
  assert.deepEqual(notSeen('confirmUpload'), []);
  assert.deepEqual(errors, []);
  const { balanced, chain_matches, problems } = await ledger(world);
  assert.deepEqual({ balanced, chain_matches, problems }, { balanced: true, chain_matches: true, problems: [] });
});
