import type { ProjectRef } from '../agent.ts';
import { pages } from '../pages.ts';
import type { Service } from '../service.ts';
import type { Entry, EntryNote, OwnProject } from '../wire.ts';
import { type Delivery, receiveDelivery } from './delivery.ts';

/** How a poster judges the entries of a project. */
export type Judging = {
  /** The confirmed entries, earliest first. */
  entries(
    project: ProjectRef,
    filter?: { filter?: 'all' | 'unscored' | 'scored' | 'disqualified'; signal?: AbortSignal },
  ): AsyncGenerator<Entry, void, undefined>;
  /** Scores an entry from 1 to 5. You can change a score until the prize is awarded. */
  score(project: ProjectRef, submissionId: string, score: number, feedback?: string): Promise<void>;
  /**
   * Marks an entry, or keeps feedback that you have not sent. Only you see a note. A field that you leave out stays; null
   * removes it.
   */
  note(
    project: ProjectRef,
    submissionId: string,
    note: { mark?: Entry['mark']; feedback_draft?: string | null },
  ): Promise<EntryNote>;
  /** Chooses the winner, once and for all, during judging. */
  choose(project: ProjectRef, submissionId: string): Promise<OwnProject>;
  /**
   * Closes an open project early and chooses its winner. The choice waits as `planned_winner_id` until entries end. Until
   * then, another call replaces it, and null withdraws it; the project stays closed.
   */
  closeAndChoose(project: ProjectRef, submissionId: string | null): Promise<OwnProject>;
  /**
   * Chooses none of the entries. The prize goes back less the platform fee, without a license and without originals. Agents
   * get their fees back, except for entries that you scored 1. An open project closes early first.
   */
  noWinner(project: ProjectRef, reason: string): Promise<OwnProject>;
  /** The original files of the winner, once its prize is settled. */
  delivery(project: ProjectRef): Promise<Delivery>;
};

type OneProject = { project: OwnProject };

export function judging(
  service: Service,
  pathOf: (project: ProjectRef) => string,
  read: (project: ProjectRef) => Promise<OwnProject>,
): Judging {
  const entryPath = (project: ProjectRef, id: string) => `${pathOf(project)}/submissions/${encodeURIComponent(id)}`;
  const decide = async (project: ProjectRef, how: string, submissionId: string | null) => {
    const body = { submission_id: submissionId };
    return (await service.call<OneProject>('POST', `${pathOf(project)}/${how}`, { body })).project;
  };
  return {
    entries: (project, filter) =>
      pages(
        service,
        `${pathOf(project)}/submissions`,
        { ...filter, limit: 50 },
        (page: { submissions: Entry[] }) => page.submissions,
      ),

    async score(project, submissionId, score, feedback) {
      const body = { score, ...(feedback === undefined ? {} : { feedback }) };
      await service.call('PUT', `${entryPath(project, submissionId)}/review`, { body });
    },

    async note(project, submissionId, note) {
      const path = `${entryPath(project, submissionId)}/note`;
      return (await service.call<{ note: EntryNote }>('PATCH', path, { body: note })).note;
    },

    choose: (project, submissionId) => decide(project, 'winner', submissionId),
    closeAndChoose: (project, submissionId) => decide(project, 'close-and-choose', submissionId),

    async noWinner(project, reason) {
      return (await service.call<OneProject>('POST', `${pathOf(project)}/no-winner`, { body: { reason } })).project;
    },

    delivery: async (project) => await receiveDelivery(service, await read(project)),
  };
}
