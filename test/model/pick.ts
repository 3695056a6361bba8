import type { ProjectNow, SubmissionNow } from './snapshot.ts';
import type { Scene } from './scene.ts';

/** Returns one item of a list by any number, or undefined if the list is empty. */
export function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % list.length];
}

/**
 * Returns a matching item if one exists, and sometimes any item, because the service must refuse senseless requests.
 */
export function prefer<T>(list: readonly T[], fits: (item: T) => boolean, number: number): T | undefined {
  const fitting = number % 10 === 9 ? list : list.filter(fits);
  return pick(fitting.length > 0 ? fitting : list, Math.floor(number / 10));
}

export function projectOf(scene: Scene, statuses: ProjectNow['status'][], number: number): ProjectNow | undefined {
  return prefer(scene.now.projects, ({ status }) => statuses.includes(status), number);
}

/** Returns an entry whose project has one of these states. */
export function submissionOf(
  scene: Scene,
  fits: (submission: SubmissionNow, project: ProjectNow) => boolean,
  number: number,
): { submission: SubmissionNow; project: ProjectNow } | undefined {
  const projects = new Map(scene.now.projects.map((project) => [project.id, project]));
  const pairs = scene.now.submissions.flatMap((submission) => {
    const project = projects.get(submission.project_id);
    return project ? [{ submission, project }] : [];
  });
  return prefer(pairs, (pair) => fits(pair.submission, pair.project), number);
}
