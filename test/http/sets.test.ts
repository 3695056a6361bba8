import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { watchedFetch } from '../support/secrets/canary-watch.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload, testPicture } from '../support/clients/journey.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// A project asks for several pictures in each entry.

const world = await sharedWorld();
const { url } = world;
const db = sharedDatabase(world);
const { confirmOf, enter, richPayer, upload } = entriesOf({ url, db });
const project = await openProject(world, { fields: { item_count: 4 } });
const free = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 4 } });
const bad = Buffer.from(await testPicture(2, 'jpeg'));

type Missing = { item: number; reason: string; message: string };
const reasons = (missing: Missing[]) => missing.map(({ item, reason }) => `${item} ${reason}`);
const detailsOf = (answer: { body: { error: { details: { field: string; message: string }[] } } }) =>
  Object.fromEntries(answer.body.error.details.map(({ field, message }) => [field, message]));

async function uploadItems(entry: Entry, items: number[], bytes = picture): Promise<void> {
  for (const item of items) await upload(entry, bytes, item);
}

async function filesOf({ submissionId }: Entry): Promise<string[]> {
  const rows = await db<{ item: number; status: string }[]>`
    select item, status from media_files where submission_id = ${submissionId} order by item, created_at`;
  return rows.map(({ item, status }) => `${item} ${status}`);
}

type Shown = {
  next: { operation_id: string; arguments: Record<string, unknown> } | null;
  file: { media_file_id: string; state: string } | null;
  files: { item: number; state: string; refused_reason: string | null; media_file_id: string }[];
  items_missing: number[];
};
const shownOf = async ({ key, submissionId }: Entry) =>
  expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200).body.data
    .submission as Shown;

describe('the upload URLs of a set', () => {
  it('cost one fee together, and an item that the project does not ask for is refused before any charge', async () => {
    const entry = await enter(project.id);
    const payer = await richPayer();
    codeIs(await requestUpload(url, { ...entry, item: 5 }), 402, 'PAYMENT_REQUIRED');
    for (const item of [5, 20, 21, 0, 1.5])
      codeIs(await requestUpload(url, { ...entry, item, fetch: payer.pay }), 400, 'VALIDATION_ERROR', /item: /);
    const first = expectStatus(await requestUpload(url, { ...entry, item: 3, fetch: payer.pay }), 200).body.data;
    assert.equal(first.item, 3);
    for (const item of [1, 2, 4]) {
      const { data } = expectStatus(await requestUpload(url, { ...entry, item }), 200).body;
      assert.deepEqual([data.item, data.entry_fee_paid], [item, 250_000]);
    }
    codeIs(await requestUpload(url, { ...entry, item: 5 }), 400, 'VALIDATION_ERROR', /this project asks for 4 items/);
    const paid = await db`select amount_micro as fee from payments where payer = ${payer.address}`;
    assert.deepEqual(
      paid.map(({ fee }) => fee),
      [250_000],
    );
    const single = await enter((await openProject(world, { entryFeeUsdc: 0 })).id);
    codeIs(await requestUpload(url, { ...single, item: 2 }), 400, 'VALIDATION_ERROR', /asks for one item/);
  });

  it('replace the pending file of their own item only, and discard no uploaded file', async () => {
    const entry = await enter(free.id);
    await uploadItems(entry, [1]);
    expectStatus(await requestUpload(url, { ...entry, item: 2 }), 200);
    expectStatus(await requestUpload(url, { ...entry, item: 2 }), 200);
    assert.deepEqual(await filesOf(entry), ['1 pending', '2 superseded', '2 pending']);
    for (const item of [undefined, 1])
      codeIs(
        await requestUpload(url, { ...entry, ...(item ? { item } : {}) }),
        409,
        'SUBMISSION_ALREADY_EXISTS',
        /item 1/,
      );
    assert.deepEqual((await filesOf(entry))[0], '1 pending');
  });
});

describe('the confirmation of a set', () => {
  it('enters the items that are there, names the others, and nothing is added afterwards', async () => {
    const entry = await enter(project.id);
    await uploadItems(entry, [1, 3]);
    const { data: late } = expectStatus(await requestUpload(url, { ...entry, item: 4 }), 200).body;
    const { data } = expectStatus(await confirmOf(entry), 200).body;
    assert.deepEqual(data.items, [1, 3]);
    assert.deepEqual(reasons(data.items_missing), ['2 no_upload_url', '4 not_uploaded']);
    assert.deepEqual(await filesOf(entry), ['1 completed', '3 completed', '4 superseded']);
    codeIs(await requestUpload(url, { ...entry, item: 2 }), 409, 'SUBMISSION_ALREADY_EXISTS');
    await putPicture(late.uploadUrl, picture);
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);
    assert.deepEqual(await filesOf(entry), ['1 completed', '3 completed', '4 superseded']);
    const shown = await shownOf(entry);
    assert.deepEqual(
      [shown.next, shown.items_missing, shown.files.map(({ item, state }) => `${item} ${state}`)],
      [null, [2, 4], ['1 confirmed', '3 confirmed', '4 replaced']],
    );
  });

  it('with a number of items, enters all or nothing', async () => {
    const entry = await enter(free.id);
    codeIs(await confirmOf(entry, { items: 5 }), 400, 'VALIDATION_ERROR', /items: 1 to 4/);
    await uploadItems(entry, [1, 2]);
    expectStatus(await requestUpload(url, { ...entry, item: 3 }), 200);
    const answer = await confirmOf(entry, { items: 3 });
    codeIs(answer, 409, 'CONFIRMATION_INCOMPLETE', /needs 3 items, and the service has 2/);
    assert.deepEqual(detailsOf(answer), {
      'items.3': 'The file was not in storage when the confirmation was requested.',
      'items.4': 'No upload URL was requested.',
    });
    assert.deepEqual(await filesOf(entry), ['1 pending', '2 pending', '3 pending']);
    const [waiting] = await db`
      select 1 from media_files where submission_id = ${entry.submissionId} and confirm_requested_at is not null`;
    assert.equal(waiting, undefined, 'nothing waits for an inspection');
    await uploadItems(entry, [3]);
    const { data } = expectStatus(await confirmOf(entry, { items: 3 }), 200).body;
    assert.deepEqual([data.items, reasons(data.items_missing)], [[1, 2, 3], ['4 no_upload_url']]);
  });

  it('with a number of items, fails if a request at the same time enters fewer', async () => {
    const entry = await enter(free.id);
    await uploadItems(entry, [1]);
    const [, strict] = await Promise.all([confirmOf(entry), confirmOf(entry, { items: 3 })]);
    codeIs(strict, 409, 'CONFIRMATION_INCOMPLETE', /fewer than 3 items|has 1/);
  });

  it('goes on without a refused picture if no number is given', async () => {
    const entry = await enter(project.id);
    await uploadItems(entry, [1, 4]);
    await uploadItems(entry, [2], bad);
    const { data } = expectStatus(await confirmOf(entry), 200).body;
    assert.deepEqual(
      [data.items, reasons(data.items_missing)],
      [
        [1, 4],
        ['2 refused', '3 no_upload_url'],
      ],
    );
    assert.match(data.items_missing[0].message, /declared was image\/png/);
  });

  it('keeps the good pictures when a number is given and one is refused; its new URL is free', async () => {
    const entry = await enter(project.id);
    await uploadItems(entry, [1, 2, 4]);
    await uploadItems(entry, [3], bad);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const answer = await confirmOf(entry, { items: 4 });
      codeIs(answer, 409, 'CONFIRMATION_INCOMPLETE', /has 3/);
      assert.deepEqual(Object.keys(detailsOf(answer)), ['items.3']);
      assert.match(detailsOf(answer)['items.3'] ?? '', /declared was image\/png/);
    }
    assert.deepEqual(await filesOf(entry), ['1 pending', '2 pending', '3 refused', '4 pending']);
    const kept = await db`
      select 1 from media_files where submission_id = ${entry.submissionId} and original_key is not null`;
    assert.equal(kept.length, 0, 'the originals of a confirmation without an entry are gone');
    const shown = await shownOf(entry);
    assert.deepEqual(
      [shown.next?.operation_id, shown.next?.arguments['item'], shown.items_missing],
      ['requestUpload', 3, [3]],
    );
    assert.equal(shown.file?.state, 'refused');
    await uploadItems(entry, [3]);
    assert.equal((await shownOf(entry)).next?.operation_id, 'confirmUpload');
    assert.deepEqual(expectStatus(await confirmOf(entry, { items: 4 }), 200).body.data.items, [1, 2, 3, 4]);
  });

  it('refuses a set without any good picture, and names each item', async () => {
    const entry = await enter(free.id);
    await uploadItems(entry, [1, 2], bad);
    expectStatus(await requestUpload(url, { ...entry, item: 3 }), 200);
    const answer = await confirmOf(entry);
    codeIs(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(Object.keys(detailsOf(answer)), ['items.1', 'items.2']);
    codeIs(await confirmOf(entry), 404, 'FILE_NOT_FOUND');
    assert.deepEqual(await filesOf(entry), ['1 refused', '2 refused', '3 pending']);
  });
});

describe('a client of the specification', () => {
  it('enters one file, with any body that means none', async () => {
    const path = ({ projectId, submissionId }: Entry) =>
      `${url}/api/v1/agents/projects/${projectId}/submissions/${submissionId}/confirm`;
    const requests: { headers?: Record<string, string>; body?: string }[] = [
      {},
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' },
      { headers: { 'content-type': 'application/json' }, body: 'null' },
      { headers: { 'content-type': 'application/json' }, body: '{}' },
      { headers: { 'content-type': 'application/json' }, body: '{"mediaFileId": "x"}' },
    ];
    for (const request of requests) {
      const entry = await enter(free.id);
      await upload(entry);
      const headers = { ...request.headers, authorization: `Bearer ${entry.key}` };
      const response = await watchedFetch(path(entry), { ...request, method: 'POST', headers });
      const body = (await response.json()) as { data: { status: string; items: number[] } };
      assert.deepEqual([response.status, body.data?.status, body.data?.items], [200, 'submitted', [1]]);
    }
    const entry = await enter(free.id);
    await upload(entry);
    for (const body of [{ items: 0 }, { items: 21 }, { items: '2' }, []])
      codeIs(await confirmOf(entry, body), 400, 'VALIDATION_ERROR');
    assert.equal((await confirmOf(entry)).status, 200);
  });
});
