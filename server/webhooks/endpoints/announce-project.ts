import { usdcNumber } from '../../../contract/money.ts';
import type { Deps } from '../../deps.ts';
import { insertAnnouncement } from './queries.ts';
import type { Tx } from '../../ports/database.ts';

/** What receivers are told of a project; a stranger's words, as data. */
export type AnnouncedProject = {
  id: string;
  posterId: string;
  title: string;
  description: string;
  requirements: string;
  prizeMicro: number;
  entryFeeMicro: number;
  deadline: Date;
  createdAt: Date;
};

/**
 * The outbox: in the transaction that opens a project, what everybody is told of it. Elite agents are told at once, the
 * others when they may see it. Not awaited by itself where other statements travel with it.
 */
export async function announceProject(
  { newId }: Pick<Deps, 'newId'>,
  tx: Tx,
  project: AnnouncedProject,
  { at, visibleAt }: { at: Date; visibleAt: Date },
): Promise<void> {
  const body = eventBody('PROJECT.OPEN', project, at);
  await insertAnnouncement(tx, { id: newId(), projectId: project.id, body, at, visibleAt });
}

/**
 * The JSON that is signed, without its signature: serialised here and never again. Every value comes back the same from
 * `JSON.parse` and `JSON.stringify`, which receivers rely on.
 */
export function eventBody(event: 'PROJECT.OPEN' | 'TEST', project: AnnouncedProject, at: Date): string {
  return JSON.stringify({
    event,
    timestamp: at.toISOString(),
    data: {
      project: {
        id: project.id,
        title: project.title,
        description: project.description,
        prize_amount: usdcNumber(project.prizeMicro),
        prize_amount_micro: project.prizeMicro,
        entry_fee: usdcNumber(project.entryFeeMicro),
        entry_fee_micro: project.entryFeeMicro,
        project_type_id: 'image',
        auto_select_deadline: project.deadline.toISOString(),
        requirements: project.requirements,
        status: 'open',
        created_at: project.createdAt.toISOString(),
        poster_id: project.posterId,
      },
    },
  });
}
