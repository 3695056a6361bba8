import { cancelProjectAsOperator } from '../../../server/judging/cancel-project-as-operator.ts';
import { cancelProject } from '../../../server/judging/cancel-project.ts';
import { chooseWinner } from '../../../server/judging/choose-winner.ts';
import { closeProject } from '../../../server/judging/close-project.ts';
import { disqualifySubmission } from '../../../server/judging/disqualify-submission.ts';
import { noWinner } from '../../../server/judging/no-winner.ts';
import { reviewSubmission } from '../../../server/judging/review-submission.ts';
import { reopenProject } from '../../../server/judging/reopen-project.ts';
import { shareProject } from '../../../server/judging/share-project.ts';
import { updateProject } from '../../../server/judging/update-project.ts';
import { awardProject } from '../../../server/judging/award-project.ts';
import { holdPayout, releasePayout } from '../../../server/judging/hold-payout.ts';
import { advanceAll } from '../advance.ts';
import { open } from './money-in.ts';
import { prefer, projectOf, submissionOf } from '../pick.ts';
import { type Action, callers, perform, type Scene } from '../scene.ts';
import type { ProjectNow, SubmissionNow } from '../snapshot.ts';

const isEntry = (status: ProjectNow['status']) => (submission: { status: string }, project: ProjectNow) =>
  submission.status === 'submitted' && project.status === status && project.awarded_at === null;

function promiseStatus(scene: Scene, projectId: string, status: ProjectNow['status']): void {
  scene.promised.push({
    what: `project ${projectId} was ${status}`,
    holds: ({ projects }) => projects.find(({ id }) => id === projectId)?.status === status,
  });
}

/** An entry whose award was taken back is disqualified. No winner is disqualified in another way. */
function wasReopened(submissions: SubmissionNow[], id: string): boolean {
  return submissions.some((entry) => entry.id === id && entry.disqualified_at !== null);
}

export const reviewAction: Action = (scene, how) => {
  const found = submissionOf(scene, isEntry('judging'), how.a);
  if (found?.project.status !== 'judging') return closeAction(scene, how);
  const { submission, project } = found;
  const score = 1 + (how.b % 5);
  // Until the poster gets an answer, the old or the new review can be the stored one.
  scene.reviews.set(submission.id, null);
  return perform(scene, how, {
    label: `review ${submission.id} with ${score}`,
    run: (on) =>
      reviewSubmission(callers(scene).poster(on, project.poster_id), {
        params: { project_id: project.id, submission_id: submission.id },
        body: { score, feedback: '' },
      }),
    answered: () => void scene.reviews.set(submission.id, score),
  });
};

export const chooseAction: Action = (scene, how) => {
  const found = submissionOf(scene, isEntry('judging'), how.a);
  if (found?.project.status !== 'judging') return closeAction(scene, how);
  const { submission, project } = found;
  return perform(scene, how, {
    label: `choose ${submission.id}`,
    run: (on) =>
      chooseWinner(callers(scene).poster(on, project.poster_id), {
        params: { project_id: project.id },
        body: { submission_id: submission.id },
      }),
    answered: () =>
      void scene.promised.push({
        what: `submission ${submission.id} was chosen`,
        holds: ({ projects, submissions }) =>
          wasReopened(submissions, submission.id) ||
          (projects.find(({ id }) => id === project.id)?.winner_submission_id === submission.id &&
            submissions.find(({ id }) => id === submission.id)?.outcome === 'won'),
      }),
  });
};

export const closeAction: Action = (scene, how) => {
  const entered = new Set(
    scene.now.submissions
      .filter(({ status, entry_fee_paid_micro }) => status === 'submitted' || entry_fee_paid_micro > 0)
      .map((entry) => entry.project_id),
  );
  const project = prefer(scene.now.projects, ({ id, status }) => status === 'open' && entered.has(id), how.a);
  if (!project) return undefined;
  return perform(scene, how, {
    label: `close ${project.id}`,
    run: (on) => closeProject(callers(scene).poster(on, project.poster_id), { params: { project_id: project.id } }),
  });
};

/** The poster chooses nobody. An open project closes first. */
export const noWinnerAction: Action = (scene, how) => {
  const found = submissionOf(scene, isEntry(how.b % 3 ? 'judging' : 'open'), how.a);
  if (!found) return undefined;
  const { id, poster_id } = found.project;
  return perform(scene, how, {
    label: `nobody wins ${id}`,
    run: (on) =>
      noWinner(callers(scene).poster(on, poster_id), { params: { project_id: id }, body: { reason: 'None fits' } }),
    answered: ({ project: { status } }) => {
      if (status === 'cancelled') promiseStatus(scene, id, status);
    },
  });
};

export const addPlacesAction: Action = (scene, how) => {
  const project = prefer(
    scene.now.projects,
    ({ status, max_entries }) => status === 'open' && max_entries !== null,
    how.a,
  );
  if (!project) return undefined;
  return perform(scene, how, {
    label: `more places in ${project.id}`,
    run: (on) =>
      updateProject(callers(scene).poster(on, project.poster_id), {
        params: { project_id: project.id },
        body: { max_entries: how.b % 4 === 0 ? null : (project.max_entries ?? 2) + 1 },
      }),
  });
};

export const cancelAction: Action = (scene, how) => {
  const project = projectOf(scene, ['open', 'draft'], how.a);
  if (!project) return undefined;
  return perform(scene, how, {
    label: `cancel ${project.id}`,
    run: (on) =>
      cancelProject(callers(scene).poster(on, project.poster_id), { params: { project_id: project.id }, body: {} }),
    answered: () => promiseStatus(scene, project.id, 'cancelled'),
  });
};

/** A poster publishes a project and cancels it at once. From the third of a day on, this costs a fee. */
export const circleAction: Action = (scene, how) =>
  perform(scene, how, {
    label: 'publish and cancel',
    async run(on) {
      const { id, posterId } = await open(scene, on, how);
      await cancelProject(callers(scene).poster(on, posterId), { params: { project_id: id }, body: {} });
      promiseStatus(scene, id, 'cancelled');
    },
  });

export const operatorCancelAction: Action = (scene, how) => {
  const project = projectOf(scene, ['open', 'judging'], how.a);
  if (!project) return undefined;
  const body = { reason: 'Against the rules', keep_fee: how.b % 3 === 0 };
  const input = { params: { project_id: project.id }, body };
  return perform(scene, how, {
    label: `operator cancels ${project.id}`,
    run: (on) => cancelProjectAsOperator(callers(scene).operator(on), input),
    answered: () => promiseStatus(scene, project.id, 'cancelled'),
  });
};

/** The operator awards or shares a prize in place of the poster. */
export const operatorDecideAction: Action = (scene, how) => {
  const found = submissionOf(scene, isEntry(how.b % 2 ? 'open' : 'judging'), how.a);
  if (!found) return undefined;
  const { submission, project } = found;
  const [params, reason] = [{ project_id: project.id }, 'The poster is gone'];
  const isAward = how.c % 2 === 0;
  return perform(scene, how, {
    label: `operator ${isAward ? 'awards' : 'shares'} ${project.id}`,
    run: (on) =>
      isAward
        ? awardProject(callers(scene).operator(on), { params, body: { submission_id: submission.id, reason } })
        : shareProject(callers(scene).operator(on), { params, body: { reason } }),
    answered: () =>
      void scene.promised.push({
        what: `project ${project.id} was decided by the operator`,
        holds: ({ projects, submissions }) => {
          if (isAward && wasReopened(submissions, submission.id)) return true;
          const decided = projects.find(({ id }) => id === project.id);
          // The same award again succeeds, also if the poster chose this entry first.
          return isAward ? decided?.winner_submission_id === submission.id : decided?.selection === 'shared';
        },
      }),
  });
};

/** The operator takes back an award whose prize has not moved. Earlier promises about its winner end. */
export const reopenAction: Action = (scene, how) => {
  const project = prefer(
    scene.now.projects,
    ({ status, winner_submission_id }) => status === 'judging' && winner_submission_id !== null,
    how.a,
  );
  if (!project) return undefined;
  return perform(scene, how, {
    label: `reopen ${project.id}`,
    run: (on) =>
      reopenProject(callers(scene).operator(on), { params: { project_id: project.id }, body: { reason: 'Gone' } }),
  });
};

/** The operator holds or releases the payout of a result on hold. */
export const holdAction: Action = (scene, how) => {
  const isHeld = (_: unknown, project: ProjectNow) => project.held_selection !== null;
  const found = submissionOf(scene, (entry, project) => entry.status === 'submitted' && isHeld(entry, project), how.a);
  if (!found) return undefined;
  const { project } = found;
  const input = { params: { project_id: project.id }, body: { reason: 'A complaint' } };
  const works: [string, (on: Parameters<ReturnType<typeof callers>['operator']>[0]) => Promise<unknown>][] = [
    ['hold', (on) => holdPayout(callers(scene).operator(on), input)],
    ['release', (on) => releasePayout(callers(scene).operator(on), input)],
  ];
  const [name, run] = works[how.b % works.length]!;
  return perform(scene, how, { label: `${name} ${project.id}`, run });
};

export const disqualifyAction: Action = (scene, how) => {
  const found = submissionOf(scene, isEntry(how.b % 2 ? 'open' : 'judging'), how.a);
  if (!found) return undefined;
  const { submission, project } = found;
  return perform(scene, how, {
    label: `disqualify ${submission.id}`,
    run: (on) =>
      disqualifySubmission(callers(scene).operator(on), {
        params: { project_id: project.id, submission_id: submission.id },
        body: { reason: 'Copied' },
      }),
    answered: () =>
      void scene.promised.push({
        what: `submission ${submission.id} was disqualified`,
        holds: ({ submissions }) =>
          submissions.some(({ id, disqualified_at }) => id === submission.id && disqualified_at !== null),
      }),
  });
};

export const extendAction: Action = (scene, how) => {
  const project = projectOf(scene, ['open', 'draft'], how.a);
  if (!project) return undefined;
  const deadline = new Date(Date.parse(project.deadline) + (1 + (how.b % 24)) * 3_600_000);
  return perform(scene, how, {
    label: `extend ${project.id}`,
    run: (on) =>
      updateProject(callers(scene).poster(on, project.poster_id), {
        params: { project_id: project.id },
        body: { auto_select_deadline: deadline },
      }),
  });
};

export const advanceAction: Action = (scene, how) =>
  perform(scene, how, { label: 'advance projects', run: ({ deps }) => advanceAll(deps) });
