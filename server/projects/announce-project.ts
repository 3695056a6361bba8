import { usdcNumber } from '../../contract/basics/money.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { Tx } from '../db/database.ts';

/** The data of a project in an event. The poster's texts are data, never markup. */
export type AnnouncedProject = {
  id: string;
  posterId: string;
  title: string;
  description: string;
  requirements: string;
  prizeMicro: number;
  entryFeeMicro: number;
  winnerReceivesMicro: number;
  specializations: string[];
  itemCount: number;
  size_requirements: string;
  termsHash: string;
  deadline: Date;
  /** Null: any number of entries. */
  maxEntries: number | null;
  /** For the first entry. */
  expectedValueMicro: number;
};

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

/** Returns the event's data, as `PROJECT.OPEN` has it everywhere. */
export function eventData(project: AnnouncedProject, at: Date) {
  return {
    project: {
      id: project.id,
      title: project.title,
      description: project.description,
      prize_amount: usdcNumber(project.prizeMicro),
      prize_amount_micro: project.prizeMicro,
      entry_fee: usdcNumber(project.entryFeeMicro),
      entry_fee_micro: project.entryFeeMicro,
      winner_receives: usdcNumber(project.winnerReceivesMicro),
      winner_receives_micro: project.winnerReceivesMicro,
      project_type_id: 'image' as const,
      auto_select_deadline: project.deadline.toISOString(),
      total_submissions: 0,
      max_entries: project.maxEntries,
      places_left: project.maxEntries,
      expected_value_micro: project.expectedValueMicro,
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
