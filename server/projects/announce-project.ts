import { usdcNumber } from '../../contract/basics/money.ts';
import type { Deps } from '../deps.ts';
import { correctOpening, recordEvents } from '../events/public.ts';
import { expectedValueMicro, placesLeft, winnerReceivesMicro } from './places.ts';
import { findPublished } from './queries.ts';
import type { ProjectRow } from './rows.ts';
import type { Tx } from '../db/database.ts';

/** A project with its terms, as an event shows it. The poster's texts are data, never markup. */
export type AnnouncedProject = ProjectRow & { termsHash: string };

/**
 * Writes a project's event to the event log, in the transaction that opens the project. Elite agents get it at `at`, and
 * others at `visibleAt`. Callers may send the statement together with others of the transaction.
 */
export async function announceProject(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: AnnouncedProject,
  { at, visibleAt }: { at: Date; visibleAt: Date },
): Promise<void> {
  const market = { publishedAt: at, visibleAt };
  await recordEvents(deps, tx, at, [{ market, type: 'PROJECT.OPEN', data: eventData(project, at) }]);
}

/** Corrects the event that waits for the end of early access: the others would read what does not hold any more. */
export async function correctAnnouncement(tx: Tx, projectId: string): Promise<void> {
  const project = await findPublished(tx, projectId);
  if (project) await correctOpening(tx, eventData(project, project.visibleAt));
}

/** Returns the event's data, as `PROJECT.OPEN` has it everywhere. */
export function eventData(project: AnnouncedProject, at: Date) {
  const winnerMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  return {
    project: {
      id: project.id,
      title: project.title,
      description: project.description,
      prize_amount: usdcNumber(project.prizeMicro),
      prize_amount_micro: project.prizeMicro,
      entry_fee: usdcNumber(project.entryFeeMicro),
      entry_fee_micro: project.entryFeeMicro,
      winner_receives: usdcNumber(winnerMicro),
      winner_receives_micro: winnerMicro,
      project_type_id: 'image' as const,
      auto_select_deadline: project.deadline.toISOString(),
      total_submissions: project.totalSubmissions,
      max_entries: project.maxEntries,
      places_left: placesLeft(project),
      expected_value_micro: expectedValueMicro(project),
      requirements: project.requirements,
      specializations: project.specializations,
      item_count: project.itemCount,
      size_requirements: project.size_requirements,
      terms_hash: project.termsHash,
      status: 'open' as const,
      created_at: at.toISOString(),
      poster_id: project.posterId,
    },
  };
}
