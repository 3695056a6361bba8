import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDomains } from '../../server/service.ts';
import { entriesOf, type Entry, picture } from '../support/clients/entries.ts';
import { openProject, requestUpload, putPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { resumeInspections } from '../../server/entries/confirmation/resume-inspections.ts';
import type { RequestedConfirmation } from '../../server/ports/inspections.ts';
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
