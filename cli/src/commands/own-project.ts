import type { OwnProject, Poster } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';
import { time, usdc } from '../output/printable.ts';
import { pairsOf } from '../output/table.ts';

/** Returns the action of a command that needs no more than the SDK, and prints the project. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the arguments of each command have their own types
export function onProject<Args extends unknown[]>(
  io: Io,
  work: (poster: Poster, ...args: Args) => Promise<OwnProject>,
): (...args: unknown[]) => Promise<void> {
  return act(io, async (context: Context, ...args: Args) =>
    printProject(context, await work(await context.poster(), ...args)),
  );
}

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
