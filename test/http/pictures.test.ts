import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeUnusedReferences } from '../../server/projects/references/remove-unused-references.ts';
import { COPY_VARIANTS } from '../../server/pictures/types.ts';
import { StorageError, type Storage } from '../../server/storage/types.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { canary, confirmedEntries, type GalleryItem, galleryPage } from '../support/clients/gallery.ts';
import { brief, expectStatus, openProject, putPicture, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

let dead = false;
/** Keys that cannot be removed. */
const stuck = new Set<string>();
/** Every key that the service read, newest last. */
const reads: string[] = [];

function mortal(storage: Storage): Storage {
  return {
    ...storage,
    async read(key, maxBytes, version) {
      reads.push(key);
      if (dead) throw new StorageError('the store is gone');
      return await storage.read(key, maxBytes, version);
    },
    async remove(key) {
      if (stuck.has(key)) throw new StorageError('refused');
      await storage.remove(key);
    },
  };
}

const world = await startWorld({ wrap: ({ storage }) => ({ storage: mortal(storage) }) });
const { url, service, clock, errors } = world;
const { db, storage } = service.deps;
const { enter, upload } = entriesOf(world);

const { id, poster } = await openProject(world, { entryFeeUsdc: 0 });
const entries = await confirmedEntries(world, id, 2);
// This picture is uploaded but not confirmed.
const pending = await enter(id);
await upload(pending);
const png = await testPicture(7);
const page = () => galleryPage(url, poster.key, id);

/** Returns the full answer and its error code, if any. */
async function open(target: string, init: RequestInit = {}) {
  const response = await fetch(target, init);
  const body = Buffer.from(await response.arrayBuffer());
  const failure = response.ok ? null : (JSON.parse(String(body)) as { success: boolean; error: { code: string } });
  return { status: response.status, headers: response.headers, body, code: failure?.error.code };
}

describe('the URL of a picture', () => {
  it('has its copy before the first request, which decodes no original', async () => {
    const { submissions } = await page();
    const keyOf = (target: string) => `previews${new URL(target).pathname.slice('/media'.length)}.webp`;
    for (const { thumbnail_url: target } of submissions) await until('the copy', () => storage.head(keyOf(target)));
    reads.length = 0;
    for (const { thumbnail_url: target } of submissions) assert.equal((await open(target)).status, 200);
    assert.deepEqual(
      reads,
      submissions.map(({ thumbnail_url: target }) => keyOf(target)),
    );
  });

  it('shows a copy without metadata, under headers that only let a browser display it', async () => {
    const { submissions } = await page();
    for (const [index, { image_url, thumbnail_url }] of submissions.entries())
      for (const target of [image_url, thumbnail_url]) {
        const { status, headers, body } = await open(target);
        assert.equal(status, 200);
        assert.ok(entries[index]!.bytes.includes(canary) && !body.includes('canary'));
        assert.equal(headers.get('content-length'), String(body.length));
        assert.equal(headers.get('content-type'), 'image/webp');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
        assert.equal(headers.get('content-disposition'), 'inline');
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-site');
        const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '') ?? [];
        const left = Date.parse(submissions[index]!.urls_expire_at) / 1000 - clock.now().getTime() / 1000;
        assert.ok(Math.abs(Number(seconds) - left) <= 2, `${seconds} of ${left}`);
      }
  });

  it('answers HEAD without a body, and refuses other methods', async () => {
    const [{ image_url: target }] = (await page()).submissions as [GalleryItem];
    const { status, headers, body } = await open(target, { method: 'HEAD' });
    assert.deepEqual([status, headers.get('content-type'), body.length], [200, 'image/webp', 0]);
    for (const method of ['PUT', 'POST', 'DELETE']) assert.equal((await open(target, { method })).code, 'NOT_FOUND');
  });

  it('is refused after a change, and opens nothing else', async () => {
    const [first] = (await page()).submissions as [GalleryItem];
    const { pathname, search } = new URL(first.image_url);
    const original = await db<{ original_key: string; upload_key: string }[]>`
      select original_key, upload_key from media_files where submission_id = ${first.id}`;
    const refused = [
      first.image_url.replace('/marked-image?', '/plain-image?'),
      `${url}${pathname}`,
      `${url}/media/..%2Foriginals/image${search}`,
      `${url}/media/${encodeURIComponent(original[0]!.original_key)}/image${search}`,
    ];
    reads.length = 0;
    for (const target of refused) {
      const { status, code, headers } = await open(target);
      assert.deepEqual([status, code, headers.get('cache-control')], [403, 'UNAUTHORIZED', 'no-store'], target);
    }
    const nowhere = [
      `/${original[0]!.original_key}`,
      `/media/${original[0]!.original_key}`,
      `/storage/${original[0]!.original_key}`,
      `/storage/uploads/${original[0]!.upload_key}`,
      `/storage/previews/${pathname.split('/')[2]}/plain-image.webp`,
      '/media/',
      '/media',
    ];
    for (const path of nowhere) assert.equal((await open(`${url}${path}${search}`)).status, 404, path);
    assert.deepEqual(reads, []);
  });

  it('opens nothing if the picture is not confirmed', async () => {
    const [file] = await db<{ id: string }[]>`select id from media_files where submission_id = ${pending.submissionId}`;
    const { imageUrl } = service.deps.mediaUrls.of(file!.id, 'plain');
    const answer = await open(imageUrl);
    assert.deepEqual([answer.status, answer.code], [404, 'NOT_FOUND']);
  });

  it('answers STORAGE_ERROR while the storage is down; the gallery still works', async () => {
    const { submissions } = await page();
    dead = true;
    const answer = await open(submissions[0]!.image_url);
    assert.deepEqual([answer.status, answer.code], [502, 'STORAGE_ERROR']);
    assert.equal((await page()).submissions.length, 2);
    dead = false;
    assert.equal((await open(submissions[0]!.image_url)).status, 200);
    errors.length = 0;
  });

  it('opens only the judged picture', async () => {
    const [{ image_url: target, thumbnail_url: small }] = (await page()).submissions as [GalleryItem];
    const [file] = await db<{ id: string; original_key: string }[]>`
      select id, original_key from media_files where submission_id = ${entries[0]!.submissionId}`;
    for (const variant of COPY_VARIANTS) await storage.remove(`previews/${file!.id}/${variant}.webp`);
    await storage.write(file!.original_key, entries[1]!.bytes, 'image/png');
    for (const each of [target, small]) assert.equal((await open(each)).code, 'STORAGE_ERROR');
    await storage.write(file!.original_key, entries[0]!.bytes, 'image/png');
    assert.equal((await open(target)).status, 200);
    errors.length = 0;
  });
});

describe('the job that removes reference pictures', () => {
  const DAY_MS = 86_400_000;
  const { key } = poster;
  const sweep = () => removeUnusedReferences(service.deps, new AbortController().signal);
  const deadline = () => new Date(clock.now().getTime() + 3 * DAY_MS).toISOString();
  const pathOf = (projectId: string) => `/posters/me/projects/${projectId}`;
  const listed = async (projectId: string) => {
    const answer = await call(url, 'GET', pathOf(projectId), { key });
    return expectStatus(answer, 200).body.data.references as { id: string }[];
  };
  /** The keys of the originals, by picture. */
  const originals = new Map<string, string>();
  const keysOf = (reference: string) => [`uploads/references/${reference}`, originals.get(reference) ?? 'none'];
  const stored = async (reference: string) =>
    (await Promise.all(keysOf(reference).map((each) => storage.head(each)))).map((file) => file !== null);

  async function draft(fields = {}): Promise<string> {
    const body = { ...brief(), auto_select_deadline: deadline(), ...fields };
    return expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body }), 201).body.data.project.id;
  }

  async function uploaded(projectId: string): Promise<string> {
    const body = { fileName: 'ours.png', fileType: 'image/png', fileSize: png.length };
    const added = await call(url, 'POST', `${pathOf(projectId)}/references`, { key, body });
    const { upload_url, reference } = expectStatus(added, 201).body.data;
    assert.equal(await putPicture(upload_url, png), 200);
    return reference.id;
  }

  async function attach(projectId: string): Promise<string> {
    const reference = await uploaded(projectId);
    expectStatus(await call(url, 'POST', `${pathOf(projectId)}/references/${reference}/confirm`, { key }), 200);
    const [row] = await db<[{ at: string }]>`select original_key as at from reference_pictures where id = ${reference}`;
    originals.set(reference, row.at);
    return reference;
  }

  it('removes what no project uses: removed, unconfirmed, and abandoned pictures', async () => {
    const projectId = await draft();
    const [kept, removed, unconfirmed] = [await attach(projectId), await attach(projectId), await uploaded(projectId)];
    expectStatus(await call(url, 'DELETE', `${pathOf(projectId)}/references/${removed}`, { key }), 200);
    await sweep();
    assert.deepEqual(await stored(removed), [true, true], 'its URL can still write it');
    clock.offsetMs += 3_600_000;
    await sweep();
    await sweep();
    assert.deepEqual(
      [await stored(removed), await stored(unconfirmed)],
      [
        [false, false],
        [false, false],
      ],
    );
    assert.deepEqual(await stored(kept), [false, true], 'a confirmed picture keeps its original');
    assert.deepEqual(
      (await listed(projectId)).map((each) => each.id),
      [kept],
    );
    clock.offsetMs += 31 * DAY_MS;
    await sweep();
    assert.deepEqual([await listed(projectId), await stored(kept)], [[], [false, false]]);
  });

  it('goes on after objects that cannot be removed, and tries them again', async () => {
    const projectId = await draft();
    const pictures = [await attach(projectId), await attach(projectId)];
    const left = async () => (await Promise.all(pictures.map(stored))).join(' ');
    for (const each of keysOf(pictures[0]!)) stuck.add(each);
    clock.offsetMs += 3_600_000;
    await sweep();
    assert.equal(await left(), 'true,true false,true');
    for (const each of pictures) await call(url, 'DELETE', `${pathOf(projectId)}/references/${each}`, { key });
    await assert.rejects(sweep(), StorageError, 'no upload could be removed');
    assert.equal(await left(), 'true,true false,false');
    stuck.clear();
    await sweep();
    assert.equal(await left(), 'false,false false,false');
  });

  it('removes those of a project that was canceled without an entry, and counts them until then', async () => {
    const projectId = await draft();
    const reference = await attach(projectId);
    const isCounted = async () =>
      (await db`select from project_references where picture_id = ${reference} and not frozen`).length === 1;
    const funder = newPayer();
    await fund(url, funder.address, 1);
    expectStatus(await call(url, 'POST', `${pathOf(projectId)}/publish`, { key, fetch: funder.pay }), 200);
    assert.equal(await isCounted(), false);
    expectStatus(await call(url, 'POST', `${pathOf(projectId)}/cancel`, { key, body: { reason: 'No need' } }), 200);
    assert.equal(await isCounted(), true);
    clock.offsetMs += 31 * DAY_MS;
    await sweep();
    assert.deepEqual([await stored(reference), await isCounted()], [[false, false], false]);
  });

  it('keeps a picture as long as one duplicate uses it', async () => {
    const first = await draft();
    const reference = await attach(first);
    const copy = await draft({ pictures_of: first });
    expectStatus(await call(url, 'DELETE', pathOf(first), { key }), 200);
    clock.offsetMs += 3_600_000;
    await Promise.all([sweep(), sweep()]);
    assert.deepEqual(
      [(await listed(copy)).map((each) => each.id), await stored(reference)],
      [[reference], [false, true]],
    );
    expectStatus(await call(url, 'DELETE', pathOf(copy), { key }), 200);
    await sweep();
    assert.deepEqual(await stored(reference), [false, false]);
  });
});
