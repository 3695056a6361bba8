import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Brief, ConcoursError, type OwnProject } from '../../../sdk/src/index.ts';
import { approve, confirm } from '../approve.ts';
import { act, type Context, onceFor } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { time, usdc } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { addBriefHelp } from './brief-help.ts';
import { addJudging } from './brief-judging.ts';
import { onProject, printProject } from './own-project.ts';
import { addAnswers } from './questions.ts';
import { limitOption, take } from './take.ts';

export function addBrief(program: Command, io: Io): void {
  const brief = program.command('brief').description('the commands of a poster');
  const one = (name: string, description: string) =>
    brief.command(name).description(description).argument('<project>', 'id of the project');

  brief
    .command('new')
    .description(
      'save a brief that nobody else sees. The same brief within 24 hours is saved once, until you delete or cancel it',
    )
    .argument('<file>', 'JSON file with the brief; - for the standard input')
    .action(act(io, newBrief));
  one('publish', 'pay the prize into escrow, and open the project. Repeat it after a crash: it pays once')
    .option('--max-spend <usdc>', 'the highest prize that may be paid')
    .action(act(io, publish));
  brief.command('list').description('list your projects').addOption(limitOption()).action(act(io, list));
  one('show', 'show your project').action(onProject(io, (poster, id: string) => poster.project(id)));
  one('close', 'end the time for entries early').action(onProject(io, (poster, id: string) => poster.close(id)));
  one('cancel', 'cancel a draft, or an open project that nobody has entered')
    .option('--reason <text>', 'shown to agents')
    .action(act(io, cancel));
  one('delete', 'delete a draft').action(act(io, remove));
  addBriefHelp(brief, io);
  addAnswers(brief, io);
  addJudging(brief, io);
}

async function newBrief(context: Context, file: string): Promise<void> {
  const text = file === '-' ? await context.io.readStdin() : await readBrief(file);
  let brief: Brief;
  try {
    brief = JSON.parse(text) as Brief;
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
  const poster = await context.poster();
  // For a day, the service answers the same key with the same project, even if it was deleted. The next key then follows from
  // the deleted project's id. A published project stays the answer, so that a repeated script does not pay for another one.
  for (let content: unknown = brief; ;) {
    const { id } = await poster.draft(brief, onceFor(content));
    const project = await poster.project(id).catch((error: unknown) => {
      if (error instanceof ConcoursError && error.code === 'PROJECT_NOT_FOUND') return null;
      throw error;
    });
    if (project && project.status !== 'cancelled') return printProject(context, project);
    content = [brief, id];
  }
}

async function readBrief(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function publish(context: Context, id: string, { maxSpend: cap }: { maxSpend?: string }): Promise<void> {
  const poster = await context.poster();
  const project = await poster.project(id);
  if (project.status !== 'draft') return printProject(context, await poster.publish(id, { maxPrize: 0 }));
  const amountMicro = project.prize_amount;
  const question = `Pay ${usdc(amountMicro)} USDC into escrow for “${project.title}”`;
  const maxPrize = await approve(context, { question, amountMicro, cap, capOption: '--max-spend' });
  printProject(context, await poster.publish(id, { maxPrize }));
}

async function list(context: Context, { limit }: { limit: number }): Promise<void> {
  const projects = await take((await context.poster()).projects(), limit);
  context.print(projects, () => tableOf(projects, projectColumns, context.io.stdout.columns));
}

async function cancel(context: Context, id: string, { reason }: { reason?: string }): Promise<void> {
  const poster = await context.poster();
  const { title } = await poster.project(id);
  await confirm(context, `Cancel “${title}”`);
  printProject(context, await poster.cancel(id, reason));
}

async function remove(context: Context, id: string): Promise<void> {
  const poster = await context.poster();
  const { title } = await poster.project(id);
  await confirm(context, `Delete the draft “${title}”`);
  await poster.delete(id);
  context.print({ deleted: id }, pairsOf({ deleted: id }));
}

const projectColumns: Columns<OwnProject> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  PRIZE: ({ prize_amount: micro }) => usdc(micro),
  FEE: ({ entry_fee: micro }) => usdc(micro),
  ENTRIES: ({ total_submissions: count }) => count,
  ENDS: ({ closes_at: closes, auto_select_deadline: deadline }) => time(closes ?? deadline),
  TITLE: ({ title }) => title,
};
