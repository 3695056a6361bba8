import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { StorageError } from '../../server/ports/storage.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import {
  confirm,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';
import { toldEvents } from '../support/told-events.ts';

let storageIsGone = false;
/** While it is set, inspections wait for it. */
let held: Promise<void> | null = null;

/** Wraps the storage so that it fails while the test says so, and the inspection so that it waits. */
function faulty({ storage, inspectImage }: World): Partial<World> {
  const gone = () => Promise.reject(new StorageError('no space left on device'));
  const get = (target: typeof storage, name: string | symbol) =>
    storageIsGone ? gone : (Reflect.get(target, name) as unknown);
  return {
    storage: new Proxy(storage, { get }),
    async inspectImage(...given) {
      await held;
      return await inspectImage(...given);
    },
  };
}

const world = await startWorld({ wrap: faulty });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, confirmOnceOf, enter, intentOf, richPayer, setDeadline, setStatus, upload } = entriesOf(world);
const { times } = service.deps.inspections;
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
    const entered = { submissionId, status: 'submitted', items: [1], items_missing: [] };
    assert.deepEqual(data, { ...entered, generationTimeSeconds, entry_fee_paid: 250_000 });
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

  it('answers another agent as if the submission did not exist, and enters nothing', async () => {
    const [own, foreign] = [await enter(project.id), await enter(project.id)];
    await upload(foreign);
    const missing = await callOperation(url, operations.confirmUpload, { key: own.key });
    codeIs(missing, 404, 'SUBMISSION_NOT_FOUND');
    assert.deepEqual(withoutId(await confirm(url, own.key, project.id, foreign.submissionId)), withoutId(missing));
    assert.equal((await confirmOf(foreign)).status, 200);
  });

  it('goes on by itself after a failure of the storage', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    storageIsGone = true;
    const before = clock.now();
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    const after = clock.now();
    storageIsGone = false;
    errors.splice(0);
    clock.offsetMs += 16_000;
    const { body } = await until('the result', async () => {
      const answer = await confirmOf(entry);
      return answer.status === 200 && answer;
    });
    const confirmedAt = new Date(body.data.confirmedAt);
    assert.ok(confirmedAt >= before && confirmedAt <= after, 'it counts from the first request');
  });

  it('fails after the grace period, and in an ended project', async () => {
    const { id } = await openProject(world);
    const entry = await enter(id);
    await upload(entry);
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
  it('counts from its request, and the same request returns the result later, each time', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    let since = '';
    await whileHeld(async () => {
      since = pendingSince(await confirmOnceOf(entry));
      assert.equal(pendingSince(await confirmOnceOf(entry)), since);
      codeIs(await requestUpload(url, entry), 409, 'SUBMISSION_ALREADY_EXISTS', /being confirmed/);
    });
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { status, body } = await confirmOf(entry);
      assert.equal(status, 200);
      assert.equal(body.data.confirmedAt, since);
      assert.equal(body.data.submissionId, entry.submissionId);
    }
  });

  it('returns the reason of a refusal later', async () => {
    const entry = await enter(project.id);
    await upload(entry, Buffer.from(await testPicture(2, 'jpeg')));
    await whileHeld(async () => void pendingSince(await confirmOnceOf(entry)));
    codeIs(await confirmOf(entry), 400, 'VALIDATION_ERROR', /declared was image\/png/);
    codeIs(await confirmOf(entry), 400, 'VALIDATION_ERROR', /declared was image\/png/);
    await upload(entry);
    assert.equal((await confirmOf(entry)).status, 200);
  });

  it('keeps its project open, and repeating the request extends nothing', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const [entry, late] = [await enter(id), await enter(id)];
    for (const each of [entry, late]) await upload(each);
    await setDeadline(id, -25);
    await whileHeld(async () => {
      const since = pendingSince(await confirmOnceOf(entry));
      // The grace period is over.
      clock.offsetMs += 10_000;
      assert.equal(await afterNextLook(id), 'open');
      codeIs(await confirmOf(late), 409, 'PROJECT_DEADLINE_PASSED');
      assert.equal(pendingSince(await confirmOnceOf(entry)), since, 'the recorded time');
      assert.equal(await afterNextLook(id), 'open');
    });
    await until('judging', async () => (await statusOf(id)) === 'judging');
    codeIs(await confirmOf(late), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('cannot be cancelled away by the poster', async () => {
    const { id, poster } = await openProject(world, { entryFeeUsdc: 0 });
    const entry = await enter(id);
    await upload(entry);
    await whileHeld(async () => {
      pendingSince(await confirmOnceOf(entry));
      codeIs(
        await call(url, 'POST', `/posters/me/projects/${id}/cancel`, { key: poster.key, body: {} }),
        409,
        'PROJECT_STATE_CONFLICT',
      );
    });
  });

  it('keeps its project open for an hour at most, if the storage fails all the time', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const entry = await enter(id);
    await upload(entry);
    storageIsGone = true;
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    await setDeadline(id, -31);
    await db`update media_files set confirm_requested_at = ${new Date(clock.now().getTime() - 3_590_000)}
      where submission_id = ${entry.submissionId}`;
    await setDeadline(id, -3_590);
    assert.equal(await afterNextLook(id), 'open');
    clock.offsetMs += 11_000;
    assert.equal(await afterNextLook(id), 'cancelled');
    await until('given up', async () => (await toldEvents(db, 'ALERT.INSPECTION_GIVEN_UP')).length === 1);
    storageIsGone = false;
    assert.ok(errors.splice(0).some(({ alert }) => alert === 'inspection_given_up'));
    codeIs(await confirmOf(entry), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('does not count for a file that was uploaded after the request', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    const [{ key } = { key: '' }] = await db<{ key: string }[]>`
      select upload_key as key from media_files where submission_id = ${entry.submissionId}`;
    await whileHeld(async () => {
      // These three take all turns, so the entry waits in the queue.
      const others = await Promise.all(Array.from({ length: 3 }, () => enter(project.id)));
      for (const other of others) await upload(other);
      for (const other of others) pendingSince(await confirmOnceOf(other));
      pendingSince(await confirmOnceOf(entry));
      await service.deps.storage.write(key, picture, 'image/png');
    });
    await until('the end of the request', async () => {
      const [row] = await db`
        select 1 from media_files where submission_id = ${entry.submissionId} and confirm_requested_at is null`;
      return row;
    });
    assert.equal((await confirmOf(entry)).status, 200, 'a new request counts from now on');
  });
});

it('a full free project refuses the confirmation', async () => {
  const { id } = await openProject(world, { entryFeeUsdc: 0, fields: { max_entries: 2 } });
  const entries = [await enter(id), await enter(id), await enter(id)];
  for (const entry of entries) await upload(entry);
  const [first, second, third] = entries;
  for (const entry of [first!, second!]) assert.equal((await confirmOf(entry)).status, 200);
  codeIs(await confirmOf(third!), 409, 'PROJECT_FULL');
  codeIs(await intentOf((await registerAgent(url)).key, id), 409, 'PROJECT_FULL');
});

it('the tests received every answer that the operation can give', async () => {
  assert.deepEqual(notSeen('confirmUpload'), []);
  assert.deepEqual(errors, []);
  const { balanced, chain_matches, problems } = await ledger(world);
  assert.deepEqual({ balanced, chain_matches, problems }, { balanced: true, chain_matches: true, problems: [] });
});
