import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { testDatabase } from '../db/test-database.ts';
import { cancelProject } from './cancel-project.ts';
import { deleteProject } from './delete-project.ts';
import { getOwnProject } from './get-own-project.ts';
import { getProject } from './get-project.ts';
import { insertUndecidedPayment, projectsWorld, refusal, refusedAlike } from './projects-suite.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const cancel = async (id: string, body: object = {}, by = world.poster) =>
  posterOperations.cancelProject.output.parse(
    await cancelProject(by, { params: { project_id: id }, body: posterOperations.cancelProject.body.parse(body) }),
  ).project;
const remove = (id: string, by = world.poster) => deleteProject(by, { params: { project_id: id } });
const verbs = { cancel, remove };

describe('cancelProject', () => {
  it('keeps a cancelled draft with its reason, for its poster alone', async () => {
    const id = await world.draft();
    const project = await cancel(id, { reason: ' Budget is gone ' });
    assert.deepEqual([project.status, project.cancel_reason], ['cancelled', 'Budget is gone']);
    const log =
      await db`select from_status, to_status, actor, reason from project_transitions where project_id = ${id}`;
    assert.deepEqual(
      [...log],
      [
        {
          from_status: 'draft',
          to_status: 'cancelled',
          actor: `poster:${world.poster.caller.posterId}`,
          reason: 'Budget is gone',
        },
      ],
    );
    await refusal(getProject(world.agent('elite'), { params: { projectId: id } }), 'PROJECT_NOT_FOUND');
    assert.deepEqual((await world.search({ status: 'cancelled' }, world.agent('elite'))).projects, []);
  });

  it('records a reason when none is given', async () => {
    assert.equal((await cancel(await world.draft())).cancel_reason, 'Cancelled by its poster');
  });

  it('cancels once', async () => {
    const id = await world.draft();
    const answers = await Promise.allSettled([cancel(id), cancel(id), cancel(id)]);
    assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 1);
    const [{ count } = { count: 0 }] = await db<
      { count: number }[]
    >`select count(*) as count from project_transitions where project_id = ${id}`;
    assert.equal(count, 1);
  });
});

describe('deleteProject', () => {
  it('removes a draft', async () => {
    const id = await world.draft();
    assert.deepEqual(await remove(id), { message: 'Draft deleted.', projectId: id });
    await refusal(getOwnProject(world.poster, { params: { project_id: id } }), 'PROJECT_NOT_FOUND');
    await refusal(remove(id), 'PROJECT_NOT_FOUND');
  });
});

for (const [name, verb] of Object.entries(verbs)) {
  describe(`${name}: what is refused`, () => {
    it('a project that is no draft, naming its status', async () => {
      const id = await world.published();
      for (const status of ['open', 'judging', 'completed', 'cancelled']) {
        await world.setStatus(id, status);
        assert.match((await refusal(verb(id), 'PROJECT_STATE_CONFLICT')).message, new RegExp(`is ${status}`));
      }
    });

    it('a draft whose prize is being paid', async () => {
      const id = await world.draft();
      await insertUndecidedPayment(db, id);
      assert.match((await refusal(verb(id), 'PROJECT_STATE_CONFLICT')).message, /draft.*being paid/);
      assert.equal((await getOwnProject(world.poster, { params: { project_id: id } })).project.status, 'draft');
    });

    it('a foreign project, exactly as a missing one', async () => {
      const foreign = await world.draft({}, await world.newPoster());
      await refusedAlike(
        [foreign, randomUUIDv7()].map((id) => verb(id)),
        'PROJECT_NOT_FOUND',
      );
    });
  });
}
