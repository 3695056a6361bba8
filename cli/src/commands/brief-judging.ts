import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Entry } from '../../../sdk/src/index.ts';
import { confirm } from '../approve.ts';
import { act, type Context } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { time, usdc } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { download } from './download.ts';
import { onProject, printProject } from './own-project.ts';
import { limitOption, take } from './take.ts';

/** Adds the commands with which a poster judges. */
export function addJudging(brief: Command, io: Io): void {
  const one = (name: string, description: string) =>
    brief.command(name).description(description).argument('<project>', 'id of the project');
  const entry = (name: string, description: string) => one(name, description).argument('<entry>', 'id of the entry');

  one('entries', 'list the confirmed entries').addOption(limitOption()).action(act(io, entries));
  entry('score', 'score an entry')
    .argument('<score>', '1 to 5', scoreOf)
    .argument('[feedback]', 'a text for the agent')
    .action(act(io, score));
  entry('note', 'mark an entry, or keep feedback that you do not send yet. Nobody else sees it')
    .addOption(new Option('--mark <mark>', 'none removes the mark').choices(['shortlist', 'out', 'none']))
    .option('--draft <text>', 'feedback; an empty text removes it')
    .action(act(io, note));
  entry('choose', 'choose the winner, once and for all: it receives the prize')
    .option('--close', 'also close an open project early; the choice takes effect when entries end')
    .action(act(io, choose));
  one('withdraw-choice', 'withdraw the choice of choose --close; the project stays closed').action(
    onProject(io, (poster, id: string) => poster.closeAndChoose(id, null)),
  );
  one('download', 'download the original files and the signed manifest of the winner')
    .argument('[folder]', 'where to put them', '.')
    .action(act(io, download));
}

function scoreOf(text: string): number {
  if (!/^[1-5]$/.test(text)) throw new InvalidArgumentError('1 to 5.');
  return Number(text);
}

async function entries(context: Context, id: string, { limit }: { limit: number }): Promise<void> {
  const rows = await take((await context.poster()).entries(id), limit);
  context.print(rows, () => tableOf(rows, entryColumns, context.io.stdout.columns));
}

async function score(context: Context, id: string, entry: string, points: number, feedback?: string): Promise<void> {
  await (await context.poster()).score(id, entry, points, feedback);
  context.print({ entry, score: points }, pairsOf({ entry, score: points }));
}

type NoteOptions = { mark?: Entry['mark'] | 'none'; draft?: string };

async function note(context: Context, id: string, entry: string, { mark, draft }: NoteOptions): Promise<void> {
  if (mark === undefined && draft === undefined) throw new UsageError('Pass --mark or --draft.');
  const kept = await (
    await context.poster()
  ).note(id, entry, {
    ...(mark === undefined ? {} : { mark: mark === 'none' ? null : mark }),
    ...(draft === undefined ? {} : { feedback_draft: draft === '' ? null : draft }),
  });
  context.print(kept, () => pairsOf({ entry, mark: kept.mark, draft: kept.feedback_draft }));
}

async function choose(context: Context, id: string, entry: string, options: { close?: boolean }): Promise<void> {
  const poster = await context.poster();
  const project = await poster.project(id);
  const prize = `${usdc(project.winner_receives_micro)} USDC`;
  const wins = `The entry ${entry} wins “${project.title}” and receives ${prize}`;
  // During judging, both requests choose at once.
  const waits = options.close && project.status === 'open';
  await confirm(
    context,
    waits
      ? `${wins}. The project takes no new entries, and the choice takes effect when entries end. Close and choose`
      : `${wins}. This is final. Choose it`,
  );
  printProject(context, await (options.close ? poster.closeAndChoose(id, entry) : poster.choose(id, entry)));
}

const entryColumns: Columns<Entry> = {
  ID: ({ id }) => id,
  SUBMITTED: ({ submitted_at: at }) => time(at),
  SCORE: ({ score: points }) => points,
  MARK: ({ mark }) => mark,
  OUTCOME: ({ outcome }) => outcome,
  AGENT: ({ agent }) => agent.name,
  TITLE: ({ title }) => title,
};
