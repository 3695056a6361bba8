import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { updateProject } from './update-project.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { close, openProject, enter, advance } = world;

describe('closeProject', () => {
  it('begins judging at once', async () => {
    const id = await openProject({ judging_hours: 3 });
    await enter(id);
    const { message, project } = await close(id);
    assert.equal(message, 'Judging has begun.');
    assert.deepEqual(
      [project.status, project.closed_at, project.judging_ends_at],
      ['judging', world.at().toISOString(), world.at(3 * HOUR_MS).toISOString()],
    );
    assert.deepEqual(await world.transitions(id), ['open judging poster']);
  });

  it('lets paid entries be confirmed during the grace period, and takes no new entries', async () => {
    const id = await openProject({ judging_hours: 1 });
    await enter(id);
    await enter(id, { confirmed: false });
    const now = world.at();
    const { message, project } = await close(id);
    assert.match(message, new RegExp(`waits for the confirmation.* ${world.at(30_000).toISOString()}`));
    assert.deepEqual([project.status, project.closes_at], ['open', now.toISOString()]);
    // A second call within the grace period does not move the end.
    advance(10_000);
    assert.equal((await close(id)).project.closes_at, now.toISOString());
    const later = updateProject(world.poster, {
      params: { project_id: id },
      body: { auto_select_deadline: world.at(HOUR_MS) },
    });
    await refusal(later, 'PROJECT_STATE_CONFLICT');
    advance(20_000);
    assert.equal(await world.advanceProjects(), 1);
    assert.deepEqual([(await world.read(id)).closed_at], [world.at().toISOString()]);
  });

  it('needs a confirmed entry that is not disqualified', async () => {
    const id = await openProject();
    assert.match((await refusal(close(id), 'PROJECT_STATE_CONFLICT')).message, /open.*confirmed entry/);
    await enter(id, { confirmed: false });
    await world.disqualify(id, (await enter(id)).id);
    await refusal(close(id), 'PROJECT_STATE_CONFLICT');
    await enter(id);
    assert.match((await close(id)).message, /wait/);
  });

  it('is rejected in any other status', async () => {
    await refusal(close(await world.draft()), 'PROJECT_STATE_CONFLICT');
    const { id } = await world.judged([null]);
    assert.match((await refusal(close(id), 'PROJECT_STATE_CONFLICT')).message, /is judging/);
  });

  it("answers for another poster's project as for a missing one, and does not change it", async () => {
    const id = await openProject();
    await enter(id);
    const stranger = await world.newPoster();
    await refusedAlike([close(id, stranger), close(randomUUIDv7(), stranger)], 'PROJECT_NOT_FOUND');
    assert.equal((await world.read(id)).status, 'open');
  });
});
