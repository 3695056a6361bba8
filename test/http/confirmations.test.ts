import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RECORDING_MS } from '../../server/judging/end-entries.ts';
import { StorageError } from '../../server/storage/types.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

/** The operations of the storage that fail. */
let failing: 'nothing' | 'everything' | 'read' = 'nothing';
/** While it is set, inspections wait for it. */
let held: Promise<void> | null = null;
let looks = 0;

/** Wraps the storage so that it fails while the test says so, and the inspection so that it waits. */
function faulty({ storage, inspectImage }: World): Partial<World> {
  const gone = () => Promise.reject(new StorageError('no space left on device'));
  const get = (target: typeof storage, name: string | symbol) =>
    failing === 'everything' || failing === name ? gone : (Reflect.get(target, name) as unknown);
  return {
    storage: new Proxy(storage, { get }),
    async inspectImage(...given) {
      await held;
      looks += 1;
      return await inspectImage(...given);
    },
  };
}

const world = await startWorld({ wrap: faulty });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, confirmOnceOf, enter, richPayer, setDeadline, upload } = entriesOf(world);
const { times } = service.deps.inspections;
const project = await openProject(world);
const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 4 } });

type Missing = { item: number; reason: string; message: string };
const reasons = (missing: Missing[]) => missing.map(({ item, reason }) => `${item} ${reason}`);

async function uploadItems(entry: Entry, items: number[]): Promise<void> {
  for (const item of items) await upload(entry, picture, item);
}

/** Stores the picture again, which is another version. */
async function replaceUpload({ submissionId }: Entry): Promise<void> {
  const [row] = await db<{ key: string }[]>`
    select upload_key as key from media_files where submission_id = ${submissionId}`;
  await service.deps.storage.write(row!.key, picture, 'image/png');
}

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
    const entered = { submissionId, status: 'submitted', items: [1], items_missing: [] };
    assert.deepEqual(data, { ...entered, generationTimeSeconds, entry_fee_paid: 250_000 });
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);
    const shown = await call(url, 'GET', `/agents/projects/${project.id}`, { key: entry.key });
    assert.equal(shown.body.data.project.total_submissions, 1);
  });

  it('needs an upload URL and an uploaded file', async () => {
    const entry = await enter(project.id);
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND');
    codeIs(await confirmOf(entry, { items: 1 }), 409, 'CONFIRMATION_INCOMPLETE');
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

  /** An entry whose confirmation failed with the storage, and whose file was then replaced. */
  async function replacedAfter(what: typeof failing, projectId: string): Promise<Entry> {
    const entry = await enter(projectId);
    await upload(entry);
    failing = what;
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    failing = 'nothing';
    errors.splice(0);
    await replaceUpload(entry);
    return entry;
  }

  it('does not count for a file that replaced the one which it has seen', async () => {
    const entry = await replacedAfter('read', project.id);
    codeIs(await confirmOf(entry), 404, 'FILE_NOT_FOUND', /or was replaced/);
    assert.equal((await confirmOf(entry)).status, 200, 'a new request counts from now on');
  });

  it('that has seen no file counts for the one that is there, and after the deadline only if it was there before', async () => {
    const entry = await replacedAfter('everything', project.id);
    assert.equal((await confirmOf(entry)).status, 200, 'an agent that begins again after an error');
    const { id } = await openProject(world);
    await setDeadline(id, 60);
    const late = await replacedAfter('everything', id);
    // The times of files are those of the kernel's clock, which is a few milliseconds late.
    await db`
      update media_files set confirm_requested_at = confirm_requested_at - interval '1 second'
      where submission_id = ${late.submissionId}`;
    const over = new Date(clock.now().getTime() + 100_000);
    // The timers may look first, and end the project.
    await clock.at(over, async () => assert.notEqual((await confirmOf(late)).status, 200));
  });

  it('goes on by itself after a failure of the storage', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    failing = 'everything';
    const before = clock.now();
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    const after = clock.now();
    failing = 'nothing';
    errors.splice(0);
    clock.offsetMs += 16_000;
    const { body } = await until('the result', async () => {
      const answer = await confirmOf(entry);
      return answer.status === 200 && answer;
    });
    const confirmedAt = new Date(body.data.confirmedAt);
    assert.ok(confirmedAt >= before && confirmedAt <= after, 'it counts from the first request');
  });
});

/** Makes inspections wait while `work` runs, and requests wait for them only 100 ms. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  times.waitMs = 100;
  try {
    await work();
  } finally {
    held = null;
    times.waitMs = 10_000;
    resolve();
  }
}

/** Asserts that the confirmation is pending. Returns the time from which it counts. */
function pendingSince(answer: Answer): string {
  codeIs(answer, 503, 'CONFIRMATION_PENDING');
  assert.equal(answer.headers.get('retry-after'), '5');
  const details = answer.body.error.details as { field: string; message: string }[];
  assert.deepEqual(
    details.map(({ field }) => field),
    ['confirm_requested_at'],
  );
  return details[0]!.message;
}

async function statusOf(id: string): Promise<string> {
  const [row] = await db<{ status: string }[]>`select status from projects where id = ${id}`;
  return row?.status ?? '';
}

/** Lets the timers of the service look at the project. */
async function afterNextLook(id: string): Promise<string> {
  await db`update projects set due_at = ${new Date(0)} where id = ${id}`;
  await until('the timers looked', async () => {
    const [row] = await db<{ due: Date | null }[]>`select due_at as due from projects where id = ${id}`;
    return row?.due?.getTime() !== 0;
  });
  return await statusOf(id);
}

describe('a confirmation whose inspection takes long', () => {
  it('keeps its project open, and repeating the request extends nothing', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const [entry, late] = [await enter(id), await enter(id)];
    for (const each of [entry, late]) await upload(each);
    await setDeadline(id, -25);
    await whileHeld(async () => {
      const since = pendingSince(await confirmOnceOf(entry));
      // The grace period is over, and so is the time in which its confirmations are recorded.
      clock.offsetMs += 5_000 + RECORDING_MS;
      assert.equal(await afterNextLook(id), 'open');
      codeIs(await confirmOf(late), 409, 'PROJECT_DEADLINE_PASSED');
      assert.equal(pendingSince(await confirmOnceOf(entry)), since, 'the recorded time');
      assert.equal(await afterNextLook(id), 'open');
    });
    await until('judging', async () => (await statusOf(id)) === 'judging');
    codeIs(await confirmOf(late), 409, 'PROJECT_NOT_ACCEPTING');
  });
});

describe('the confirmation of a set', () => {
  it('counts from its request for every item, and takes no item that comes later', async () => {
    const entry = await enter(set.id);
    await uploadItems(entry, [1, 2]);
    const { data: late } = expectStatus(await requestUpload(url, { ...entry, item: 3 }), 200).body;
    let since = '';
    await whileHeld(async () => {
      const pending = await confirmOnceOf(entry);
      codeIs(pending, 503, 'CONFIRMATION_PENDING');
      since = pending.body.error.details[0].message;
      codeIs(await requestUpload(url, { ...entry, item: 4 }), 409, 'SUBMISSION_ALREADY_EXISTS', /being confirmed/);
      codeIs(await requestUpload(url, { ...entry, item: 3 }), 409, 'SUBMISSION_ALREADY_EXISTS', /being confirmed/);
      // The URL of item 3 still works, but its file does not join the confirmation.
      assert.equal(await putPicture(late.uploadUrl, picture), 200);
      clock.offsetMs += 2_000;
      const again = await confirmOnceOf(entry, { items: 3 });
      codeIs(again, 503, 'CONFIRMATION_PENDING');
      assert.equal(again.body.error.details[0].message, since);
    });
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { data } = expectStatus(await confirmOf(entry), 200).body;
      assert.deepEqual([data.items, data.confirmedAt], [[1, 2], since]);
      assert.deepEqual(reasons(data.items_missing), ['3 not_uploaded', '4 no_upload_url']);
    }
    const recorded = await db<{ at: Date }[]>`
      select distinct confirm_requested_at as at from media_files where submission_id = ${entry.submissionId} and status = 'completed'`;
    assert.deepEqual(
      recorded.map(({ at }) => at.toISOString()),
      [since],
    );
  });
});
