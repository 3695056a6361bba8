import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../../contract/basics/errors.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { call } from '../support/clients/client.ts';
import { close, enter } from '../support/clients/contestants.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { ownProject } from '../support/endings/ending.ts';
import { brief, expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { callOperation, exactAnswer, parametersOf } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Another poster's resource answers like a missing one, byte for byte. The test covers every operation of posters on a
// project or an entry, taken from the table, in every state of the project.

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const { url, operatorKey, service, errors } = world;
const [owner, stranger] = [await registerPoster(url), await registerPoster(url)];

const onProjects = everyOperation.filter((spec) => spec.auth === 'poster' && parametersOf(spec).includes('project_id'));
const onEntries = onProjects.filter(
  (spec) =>
    parametersOf(spec).includes('submission_id') || 'submission_id' in (bodies({ submissionId: '' })[spec.id] ?? {}),
);

/** Returns a valid body for each operation that takes one, so that only the owner is wrong. */
function bodies({ submissionId }: { submissionId: string }): Record<string, Record<string, unknown>> {
  return {
    updateProject: { title: 'Mine now' },
    addReference: { fileName: 'a.png', fileType: 'image/png', fileSize: 100 },
    duplicateProject: { prize_amount: 1, entry_fee: 0, auto_select_deadline: brief().auto_select_deadline },
    cancelProject: { reason: 'Not theirs any more' },
    reviewSubmission: { score: 1, feedback: 'Mine now' },
    noteEntry: { mark: 'out', feedback_draft: 'Mine now' },
    closeAndChoose: { submission_id: submissionId },
    chooseWinner: { submission_id: submissionId },
    answerQuestion: { answer: 'Mine now' },
  };
}

type Target = { projectId: string; submissionId: string };

async function answerOf(spec: OperationSpec, { projectId, submissionId }: Target, key = stranger.key): Promise<string> {
  const body = bodies({ submissionId })[spec.id];
  const params = { project_id: projectId, submission_id: submissionId };
  return exactAnswer(await callOperation(url, spec, { key, params, ...(body ? { body } : {}) }));
}

const codeOf = (answer: string): ErrorCode => JSON.parse(JSON.parse(answer)[2]).error?.code;

const nobodys: Target = { projectId: stranger.id, submissionId: stranger.id };

/** A project of the owner in each state, with an entry where the state allows one. */
const projects: Record<string, Target> = await (async () => {
  const draft = await call(url, 'POST', '/posters/me/projects', { key: owner.key, body: brief() });
  const entered = async () => {
    const project = await openProject(world, { poster: owner, entryFeeUsdc: 0 });
    const entry = await enter(world, project);
    return { project, entry, target: { projectId: project.id, submissionId: entry.submissionId } };
  };
  const [open, judging, completed, cancelled] = [await entered(), await entered(), await entered(), await entered()];
  for (const { project } of [judging, completed]) expectStatus(await close(world, project), 200);
  const winner = { submission_id: completed.target.submissionId };
  const chosen = `/posters/me/projects/${completed.target.projectId}/winner`;
  expectStatus(await call(url, 'POST', chosen, { key: owner.key, body: winner }), 200);
  const end = `/operator/projects/${cancelled.target.projectId}/cancel`;
  expectStatus(await call(url, 'POST', end, { key: operatorKey, body: { reason: 'A test' } }), 200);
  await until('the winner is paid', async () => (await ownProject(world, completed.project))['status'] === 'completed');
  return {
    draft: { projectId: expectStatus(draft, 201).body.data.project.id, submissionId: open.target.submissionId },
    open: open.target,
    judging: judging.target,
    completed: completed.target,
    cancelled: cancelled.target,
  };
})();

/** Returns all data that the requests could have changed. */
async function everything(): Promise<unknown> {
  const { db } = service.deps;
  return await Promise.all([
    db`select * from projects where poster_id = ${owner.id} order by id`,
    db`select * from submissions order by id`,
    db`select * from entry_notes order by submission_id`,
    db`select * from questions order by id`,
    db`select * from project_references order by id`,
    db`select id, reference, amount_micro from payouts order by id`,
  ]);
}

describe('operations on projects', () => {
  it('are all tested, each with a valid body', () => {
    const withBody = onProjects.filter((spec) => spec.body).map(({ id }) => id);
    assert.deepEqual(new Set(withBody), new Set(Object.keys(bodies({ submissionId: '' }))));
    assert.ok(onProjects.length >= 9, `${onProjects.length}`);
    assert.deepEqual(
      new Set(onEntries.map(({ id }) => id)),
      new Set(['reviewSubmission', 'noteEntry', 'closeAndChoose', 'chooseWinner', 'getDelivery']),
    );
  });

  for (const [state, target] of Object.entries(projects)) {
    it(`on another poster’s ${state} project answer as if it did not exist`, async () => {
      const before = await everything();
      for (const spec of onProjects) {
        const missing = await answerOf(spec, nobodys);
        assert.equal(codeOf(missing), 'PROJECT_NOT_FOUND', spec.id);
        assert.equal(await answerOf(spec, target), missing, spec.id);
        // The entry makes no difference: neither an existing entry in a missing project, nor the reverse.
        assert.equal(await answerOf(spec, { ...target, projectId: stranger.id }), missing, spec.id);
        assert.equal(await answerOf(spec, { ...target, submissionId: stranger.id }), missing, spec.id);
      }
      assert.deepEqual(await everything(), before);
    });
  }

  it('do not list it for another poster', async () => {
    const { projects: listed } = (await call(url, 'GET', '/posters/me/projects', { key: stranger.key })).body.data;
    assert.deepEqual(listed, []);
  });
});

describe('an entry of another project', () => {
  it('does not exist in the caller’s own project, whichever poster owns it', async () => {
    const own = await openProject(world, { poster: stranger, entryFeeUsdc: 0 });
    await enter(world, own);
    for (const judged of [false, true]) {
      if (judged) expectStatus(await close(world, own), 200);
      const before = await everything();
      for (const spec of onEntries) {
        const missing = await answerOf(spec, { projectId: own.id, submissionId: stranger.id });
        assert.equal(codeOf(missing), 'SUBMISSION_NOT_FOUND', spec.id);
        for (const { submissionId } of Object.values(projects))
          assert.equal(await answerOf(spec, { projectId: own.id, submissionId }), missing, spec.id);
      }
      assert.deepEqual(await everything(), before);
    }
  });

  it('does not exist in another project of the same poster', async () => {
    const { open, judging } = projects as Record<'open' | 'judging', Target>;
    const swapped = { projectId: judging.projectId, submissionId: open.submissionId };
    for (const spec of onEntries) {
      const missing = await answerOf(spec, { ...swapped, submissionId: stranger.id }, owner.key);
      assert.equal(codeOf(missing), 'SUBMISSION_NOT_FOUND');
      assert.equal(await answerOf(spec, swapped, owner.key), missing, spec.id);
    }
  });
});

it('the service logged no errors', () => {
  assert.deepEqual(errors, []);
});
