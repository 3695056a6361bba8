import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageError } from '../../server/ports/storage.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

// Confirmations of sets whose inspections take long, or whose storage fails.

/** While it is set, inspections wait for it. */
let held: Promise<void> | null = null;
/** The store fails for keys that contain this text. */
let brokenKey: string | null = null;

function faulty({ storage, inspectImage }: World): Partial<World> {
  return {
    storage: {
      ...storage,
      async head(key) {
        if (brokenKey !== null && key.includes(brokenKey)) throw new StorageError('the store does not answer');
        return await storage.head(key);
      },
    },
    async inspectImage(...given) {
      await held;
      return await inspectImage(...given);
    },
  };
}

const world = await startWorld({ wrap: faulty });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { times } = service.deps.inspections;
const { confirmOf, confirmOnceOf, enter, setDeadline, upload } = entriesOf(world);
const free = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 4 } });

type Missing = { item: number; reason: string; message: string };
const reasons = (missing: Missing[]) => missing.map(({ item, reason }) => `${item} ${reason}`);

async function uploadItems(entry: Entry, items: number[]): Promise<void> {
  for (const item of items) await upload(entry, picture, item);
}

async function filesOf({ submissionId }: Entry): Promise<string[]> {
  const rows = await db<{ item: number; status: string }[]>`
    select item, status from media_files where submission_id = ${submissionId} order by item, created_at`;
  return rows.map(({ item, status }) => `${item} ${status}`);
}

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

describe('the confirmation of a set', () => {
  it('counts from its request for every item, and takes no item that comes later', async () => {
    const entry = await enter(free.id);
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

  it('is finished by the job if the store fails for one of its items', async () => {
    const entry = await enter(free.id);
    await uploadItems(entry, [1, 2]);
    const [{ id } = { id: '' }] = await db<{ id: string }[]>`
      select id from media_files where submission_id = ${entry.submissionId} and item = 2`;
    brokenKey = id;
    const before = clock.now();
    codeIs(await confirmOf(entry), 502, 'STORAGE_ERROR');
    const after = clock.now();
    brokenKey = null;
    errors.splice(0);
    clock.offsetMs += 16_000;
    const [row] = await until('the entry', async () => {
      const rows = await db<{ at: Date }[]>`
        select submitted_at as at from submissions where id = ${entry.submissionId} and status = 'submitted'`;
      return rows.length > 0 && rows;
    });
    assert.ok(row && row.at >= before && row.at <= after, 'it counts from the request');
    assert.deepEqual(expectStatus(await confirmOf(entry), 200).body.data.items, [1, 2]);
  });

  it('keeps its project open while one of its items waits', async () => {
    const ending = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 2 } });
    const entry = await enter(ending.id);
    await uploadItems(entry, [1, 2]);
    await setDeadline(ending.id, -25);
    await whileHeld(async () => {
      codeIs(await confirmOnceOf(entry), 503, 'CONFIRMATION_PENDING');
      clock.offsetMs += 10_000;
      await db`update projects set due_at = ${new Date(0)} where id = ${ending.id}`;
      await until('the timers looked', async () => {
        const [row] = await db<{ due: Date | null }[]>`select due_at as due from projects where id = ${ending.id}`;
        return row?.due?.getTime() !== 0;
      });
      const [row] = await db<{ status: string }[]>`select status from projects where id = ${ending.id}`;
      assert.equal(row?.status, 'open');
    });
    await until('judging', async () => {
      const [row] = await db<{ status: string }[]>`select status from projects where id = ${ending.id}`;
      return row?.status === 'judging';
    });
    assert.deepEqual(await filesOf(entry), ['1 completed', '2 completed']);
  });
});

it('the service wrote no unexpected error', () => assert.deepEqual(errors, []));
