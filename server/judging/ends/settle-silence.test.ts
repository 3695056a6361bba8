import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { HOUR_MS, judgingWorld } from '../../../test/support/worlds/judging-world.ts';
import { FUNDER } from '../../../test/support/worlds/projects-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { openProject, enter, read, advance, advanceProjects } = world;
const hours = { judging_hours: 1 };

// Projects that one test leaves open must not be due in the next test.
beforeEach(() => db`update projects set due_at = null`);

describe('the end of judging', () => {
  it('without scores is silence: fees back, capped shares, and the rest to the poster; one share for each payer', async () => {
    const id = await openProject(hours);
    const entries: Awaited<ReturnType<typeof enter>>[] = [];
    for (const _ of [1, 2, 3, 4]) {
      const payer: { payer?: string } = entries.length === 1 ? { payer: entries[0]!.payer } : {};
      entries.push(await enter(id, payer));
      advance(1000);
    }
    await world.close(id);
    const [, , third] = entries;
    await world.disqualify(id, third!.id);
    advance(HOUR_MS);
    await advanceProjects();
    const project = await read(id);
    assert.deepEqual([project.selection, project.winner_submission_id], ['silence', null]);
    assert.deepEqual(await world.outcomes(id), ['shared 1 2500000', 'lost 2 0', 'lost null 0', 'shared 3 2500000']);
    assert.deepEqual(
      (await world.owed(id)).map((line) => line.replace(/ 0x.*| no-wallet.*/, '')),
      ['refund 90000000', 'share 2500000', 'share 2500000', ...entries.map(() => 'refund 250000')],
    );
  });

  it('gives no share to a later entry with the bytes of an earlier one; a resemblance takes no share', async () => {
    const id = await openProject(hours);
    // All have the same perceptual hash.
    for (const bytes of ['one', 'two', 'one']) {
      const entry = await enter(id);
      await db`
        insert into media_files (id, submission_id, upload_key, original_name, content_type, size_bytes, status, created_at, expires_at,
          completed_at, sha256, perceptual_hash, compared)
        values (${entry.id}, ${entry.id}, ${entry.id}, 'a.png', 'image/png', 1, 'completed', ${world.at()}, ${world.at()},
          ${world.at()}, ${Buffer.from(bytes)}, 0, false)`;
      advance(1000);
    }
    await world.close(id);
    advance(HOUR_MS);
    await advanceProjects();
    assert.deepEqual(await world.outcomes(id), ['shared 1 2500000', 'shared 2 2500000', 'lost 3 0']);
  });

  it('without scores and without a fee gives the prize less the platform fee back', async () => {
    const id = await openProject({ ...hours, entry_fee: 0 });
    await enter(id, { fee: 'none' });
    await world.close(id);
    advance(HOUR_MS);
    await advanceProjects();
    const project = await read(id);
    assert.deepEqual([project.status, project.cancel_reason, project.selection], ['cancelled', 'silence', null]);
    assert.deepEqual(await world.owed(id), [`refund 95000000 ${FUNDER} ready`]);
    assert.deepEqual(await world.outcomes(id), ['cancelled null 0']);
    const [row] = await db`select cancelled_at, cancelled_by, fee_kept from projects where id = ${id}`;
    assert.deepEqual({ ...row }, { cancelled_at: world.at(), cancelled_by: 'timer', fee_kept: true });
  });
});
