import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { getOwnProject } from './get-own-project.ts';
import { listOwnProjects } from './list-own-projects.ts';
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

describe('listOwnProjects', () => {
  const list = async (by: typeof world.poster, query: Record<string, string> = {}) =>
    posterOperations.listOwnProjects.output.parse(
      await listOwnProjects(by, { query: posterOperations.listOwnProjects.query.parse(query) }),
    );

  it('lists only the own projects, newest first, by pages and by status', async () => {
    const by = await world.newPoster();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      // The first three have the same millisecond, so the id decides.
      if (index > 2) world.advance(1);
      ids.push(await world.draft({ title: `Project ${index}` }, by));
    }
    await world.open(ids[1]!);
    const all = await list(by);
    assert.deepEqual(
      all.projects.map((project) => project.id),
      ids.toReversed(),
    );
    assert.deepEqual(all.pagination, { limit: 20, offset: 0, total_returned: 5, has_more: false });
    const page = await list(by, { limit: '2', offset: '2' });
    assert.deepEqual(
      page.projects.map((project) => project.id),
      [ids[2], ids[1]],
    );
    assert.deepEqual(page.pagination, { limit: 2, offset: 2, total_returned: 2, has_more: true });
    assert.deepEqual(
      (await list(by, { status: 'open' })).projects.map((project) => project.id),
      [ids[1]],
    );
    assert.deepEqual((await list(by, { status: 'judging' })).projects, []);
    assert.deepEqual((await list(await world.newPoster())).projects, []);
  });

  it('refuses invalid pages and statuses', () => {
    for (const query of [{ limit: '0' }, { limit: '51' }, { offset: '-1' }, { status: 'lost' }]) {
      assert.equal(posterOperations.listOwnProjects.query.safeParse(query).success, false, JSON.stringify(query));
    }
  });
});
