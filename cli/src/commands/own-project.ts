import type { OwnProject } from '../../../sdk/src/index.ts';
import type { Context } from '../context.ts';
import { time, usdc } from '../output/printable.ts';
import { pairsOf } from '../output/table.ts';

/** Prints a project of the poster. */
export function printProject(context: Context, project: OwnProject): void {
  const facts = {
    project: project.id,
    title: project.title,
    status: project.status,
    prize: `${usdc(project.prize_amount)} USDC`,
    fee: `${usdc(project.entry_fee)} USDC`,
    entries: project.total_submissions,
    ends: time(project.closes_at ?? project.auto_select_deadline),
    'judging ends': time(project.judging_ends_at),
    'planned winner': project.planned_winner_id,
    winner: project.winner_submission_id,
    payout: project.payout_status,
  };
  context.print(project, () => pairsOf(facts));
}
