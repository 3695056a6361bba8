import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDomains } from '../../server/service.ts';
import { entriesOf, type Entry, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, requestUpload, putPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { resumeInspections } from '../../server/entries/confirmation/resume-inspections.ts';
import type { DomainError } from '../../contract/basics/errors.ts';
import type { RequestedConfirmation, RequestedFile } from '../../server/ports/inspections.ts';
import type { Deps, World } from '../../server/deps.ts';

// Two processes inspect the pictures of one database. The second one is built in this process, with its own inspections.

let inspections = 0;
let held: PromiseWithResolvers<void> | null = null;

function counting({ inspectImage }: World): Partial<World> {
  return {
    async inspectImage(...given) {
      inspections += 1;
      await held?.promise;
      return await inspectImage(...given);
    },
  };
}

const world = await startWorld({ wrap: counting, connections: 10 });
const { url, service, clock } = world;
const { db } = service.deps;
const { enter } = entriesOf(world);
const other = createDomains(service.deps).deps;
const project = await openProject(world, { entryFeeUsdc: 0 });
const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 3 } });

/** Uploads a picture and records a request, as a process does that is killed before it inspects. */
async function requested(entry: Entry): Promise<RequestedConfirmation> {
  const { data } = (await requestUpload(url, entry)).body;
  assert.equal(await putPicture(data.uploadUrl, picture), 200);
  const requestedAt = clock.now();
  await db`update media_files set confirm_requested_at = ${requestedAt} where id = ${data.mediaFileId}`;
  const [row] = await db<{ key: string }[]>`select upload_key as key from media_files where id = ${data.mediaFileId}`;
  const fileId = data.mediaFileId as string;
  const file = { fileId, item: 1, uploadKey: row!.key, contentType: 'image/png' as const, sizeBytes: entry.sizeBytes };
  return { ...entry, requestedAt, itemsNeeded: null, files: [file] };
}

describe('one submission', () => {
  it('is inspected once by two processes, and all requests get the result', async () => {
    const file = await requested(await enter(project.id));
    inspections = 0;
    held = Promise.withResolvers();
    const inspect = ({ inspections: own }: Pick<Deps, 'inspections'>) =>
      until('the result', async () => await own.inspect(file));
    const all = [service.deps, other, other, service.deps].map(inspect);
    held.resolve();
    for (const { confirmedAt } of await Promise.all(all)) assert.deepEqual(confirmedAt, file.requestedAt);
    assert.equal(inspections, 1);
  });

  it('is taken over when the lease of a killed process has run out, with the time of its request', async () => {
    const file = await requested(await enter(project.id));
    await db`update media_files set inspection_lease_until = ${new Date(clock.now().getTime() + 30_000)}
      where id = ${file.files[0]!.fileId}`;
    inspections = 0;
    assert.equal(await other.inspections.inspect(file), null);
    assert.equal(await resumeInspections(other), 0);
    clock.offsetMs += 31_000;
    const entry = await until('the result', async () => await other.inspections.inspect(file));
    assert.deepEqual(entry.confirmedAt, file.requestedAt);
    assert.equal(inspections, 1);
  });

  for (const { lacking, urls } of [
    { lacking: 'a file that did not arrive', urls: [1, 2, 3] },
    { lacking: 'an item without an upload URL', urls: [1, 2] },
    { lacking: 'a refused picture', urls: [1, 2, 3] },
  ])
    it(`lacks ${lacking} of the items that it needs, and each process says which`, async () => {
      const entry = await enter(set.id);
      const files: RequestedFile[] = [];
      const requestedAt = clock.now();
      for (const item of urls) {
        const { data } = expectStatus(await requestUpload(url, { ...entry, item }), 200).body;
        const bytes = item === 3 ? Buffer.alloc(picture.length) : picture;
        if (item < 3 || lacking === 'a refused picture') assert.equal(await putPicture(data.uploadUrl, bytes), 200);
        const [row] = await db<{ key: string }[]>`
          select upload_key as key from media_files where id = ${data.mediaFileId}`;
        const file = { fileId: data.mediaFileId as string, item, uploadKey: row!.key, sizeBytes: entry.sizeBytes };
        files.push({ ...file, contentType: 'image/png' });
      }
      await db`
        update media_files set confirm_requested_at = ${requestedAt}, confirm_items = 3
        where submission_id = ${entry.submissionId}`;
      const errors: unknown[] = [];
      // The second process had joined the request when the first one ended it.
      for (const { inspections: own } of [service.deps, other, other])
        await own
          .inspect({ ...entry, requestedAt, itemsNeeded: 3, files })
          .catch((error: unknown) => errors.push(error));
      const [first, ...later] = errors.map((error) => {
        const { code, message, details } = error as DomainError;
        return { code, message, fields: details?.map(({ field }) => field) };
      });
      assert.deepEqual([first?.code, first?.fields], ['CONFIRMATION_INCOMPLETE', ['items.3']]);
      assert.deepEqual(later, [first, first]);
    });

  it('is resumed by the job, once by two processes, without any request of its agent', async () => {
    const files: RequestedConfirmation[] = [];
    for (let count = 0; count < 6; count += 1) files.push(await requested(await enter(project.id)));
    inspections = 0;
    clock.offsetMs += 16_000;
    // The timers of the service resume them too.
    await Promise.all([resumeInspections(other), resumeInspections(service.deps)]);
    await until('all entries', async () => {
      const rows = await db`
        select 1 from submissions
        where status = 'submitted' and id = any(${files.map(({ submissionId }) => submissionId)})`;
      return rows.length === files.length;
    });
    assert.equal(inspections, 6);
  });
});
