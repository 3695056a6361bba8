import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { getOwnProject } from './get-own-project.ts';
import { projectsWorld, refusedAlike } from '../../test/support/worlds/projects-world.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);

describe('getOwnProject', () => {
  it('shows a draft and an open project to its poster', async () => {
    const draft = await world.draft();
    const open = await world.published();
    for (const [id, status] of [
      [draft, 'draft'],
      [open, 'open'],
    ] as const) {
      const { project } = posterOperations.getOwnProject.output.parse(
        await getOwnProject(world.poster, { params: { project_id: id } }),
      );
      assert.deepEqual([project.id, project.status], [id, status]);
    }
  });

  it('answers for a foreign project exactly as for a missing one', async () => {
    const foreign = await world.draft({}, await world.newPoster());
    const answers = [foreign, randomUUIDv7()].map((id) => getOwnProject(world.poster, { params: { project_id: id } }));
    await refusedAlike(answers, 'PROJECT_NOT_FOUND');
  });
});
