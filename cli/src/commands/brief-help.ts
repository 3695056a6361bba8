import { type Command, InvalidArgumentError } from 'commander';
import type { PrizeGuidance, Reference, Template } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { usdc } from '../output/format.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { printProject } from './own-project.ts';

/** Adds the commands that help to write a brief. Templates and prizes need no key. */
export function addBriefHelp(brief: Command, io: Io): void {
  brief
    .command('templates')
    .description('list templates of briefs, or print the fields of one as JSON')
    .argument('[template]', 'id of a template')
    .action(act(io, templates));
  brief
    .command('prizes')
    .description('show what similar completed projects paid')
    .argument('<specialization>', 'id of a specialization, such as logo-design')
    .option('--items <n>', 'only projects with this many pictures', itemsOf)
    .action(act(io, prizes));
  brief
    .command('duplicate')
    .description('copy a project to a new draft, with its reference pictures')
    .argument('<project>', 'id of the project')
    .requiredOption('--prize <usdc>', 'prize of the copy')
    .requiredOption('--fee <usdc>', 'entry fee of the copy')
    .requiredOption('--deadline <time>', 'end of entries, such as 2030-01-31T12:00:00Z')
    .option('--title <text>', 'title of the copy')
    .action(act(io, duplicate));
  const references = brief.command('references').description('list the reference pictures of a project');
  references.argument('<project>', 'id of the project').action(act(io, listReferences));
  brief
    .command('attach')
    .description('attach reference pictures to a draft. The same picture is attached once')
    .argument('<project>', 'id of the draft')
    .argument('<file...>', 'pictures')
    .action(act(io, attach));
  brief
    .command('detach')
    .description('remove a reference picture from a draft')
    .argument('<project>', 'id of the draft')
    .argument('<reference>', 'id of the reference picture')
    .action(act(io, detach));
}

function itemsOf(text: string): number {
  const items = Number(text);
  if (!Number.isInteger(items) || items < 1 || items > 20) throw new InvalidArgumentError('1 to 20.');
  return items;
}

const templateColumns: Columns<Template> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  SUMMARY: ({ summary }) => summary,
};

async function templates(context: Context, id?: string): Promise<void> {
  const all = await (await context.visitor()).templates();
  if (id === undefined) return context.print(all, () => tableOf(all, templateColumns, context.io.stdout.columns));
  const found = all.find((template) => template.id === id);
  if (!found) throw new UsageError(`There is no template ${id}. concours brief templates lists them.`);
  // A file for `brief new`, which still needs a prize, a fee, and a deadline.
  context.print(found.brief, () => `${JSON.stringify(found.brief, null, 2)}\n`);
}

async function prizes(context: Context, specialization: string, { items }: { items?: number }): Promise<void> {
  const guidance = await (await context.visitor()).prizeGuidance(specialization, items);
  context.print(guidance, () => pairsOf(factsOf(guidance)));
}

function factsOf({ projects, needed, prize_micro: prize, entries }: PrizeGuidance) {
  if (!prize || !entries) return { projects: `${projects}, of ${needed} that guidance needs` };
  return {
    projects,
    'median prize': `${usdc(prize.median)} USDC`,
    'middle half': `${usdc(prize.lower_quartile)} to ${usdc(prize.upper_quartile)} USDC`,
    'median entries': entries.median,
  };
}

type CopyOptions = { prize: string; fee: string; deadline: string; title?: string };

async function duplicate(context: Context, id: string, { prize, fee, deadline, title }: CopyOptions): Promise<void> {
  const copy = await (
    await context.poster()
  ).duplicate(id, {
    prize_amount: prize,
    entry_fee: fee,
    auto_select_deadline: deadline,
    ...(title === undefined ? {} : { title }),
  });
  printProject(context, copy);
}

const referenceColumns: Columns<Reference> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  FILE: ({ file_name: name }) => name,
  'SHA-256': ({ picture }) => picture?.sha256 ?? null,
};

async function listReferences(context: Context, id: string): Promise<void> {
  printReferences(context, await (await context.poster()).references.list(id));
}

async function attach(context: Context, id: string, files: string[]): Promise<void> {
  const { references } = await context.poster();
  const attached: Reference[] = [];
  for (const file of files) attached.push(await references.add(id, file));
  printReferences(context, attached);
}

async function detach(context: Context, id: string, reference: string): Promise<void> {
  await (await context.poster()).references.remove(id, reference);
  context.print({ removed: reference }, pairsOf({ removed: reference }));
}

function printReferences(context: Context, references: Reference[]): void {
  context.print(references, () => tableOf(references, referenceColumns, context.io.stdout.columns));
}
