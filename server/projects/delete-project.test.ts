import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { deleteProject } from './delete-project.ts';
import { getOwnProject } from './get-own-project.ts';
import {
  insertUndecidedPayment,
  projectsWorld,
  refusal,
  refusedAlike,
} from '../../test/support/worlds/projects-world.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const remove = (id: string, by = world.poster) => deleteProject(by, { params: { project_id: id } });

describe('deleteProject', () => {
  it('removes a draft', async () => {
    const id = await world.draft();
    assert.deepEqual(await remove(id), { message: 'Draft deleted.', projectId: id });
    await refusal(getOwnProject(world.poster, { params: { project_id: id } }), 'PROJECT_NOT_FOUND');
    await refusal(remove(id), 'PROJECT_NOT_FOUND');
  });

  it('refuses a project that is not a draft, and names its status', async () => {
    const id = await world.published();
    for (const status of ['open', 'judging', 'completed', 'cancelled']) {
      await world.setStatus(id, status);
      assert.match((await refusal(remove(id), 'PROJECT_STATE_CONFLICT')).message, new RegExp(`is ${status}`));
    }
  });

  it('refuses a draft whose prize is being paid', async () => {
    const id = await world.draft();
    await insertUndecidedPayment(db, id);
    assert.match((await refusal(remove(id), 'PROJECT_STATE_CONFLICT')).message, /draft.*being paid/);
    assert.equal((await getOwnProject(world.poster, { params: { project_id: id } })).project.status, 'draft');
  });

  it('refuses a foreign project exactly as a missing one', async () => {
    const foreign = await world.draft({}, await world.newPoster());
    await refusedAlike(
      [foreign, randomUUIDv7()].map((id) => remove(id)),
      'PROJECT_NOT_FOUND',
    );
  });
});
