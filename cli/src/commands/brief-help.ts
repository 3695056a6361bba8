import type { Command } from 'commander';
import type { OwnProject, Poster, Reference } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { onProject } from './own-project.ts';

/** Adds the commands that copy a brief, and those of its reference pictures. */
export function addBriefHelp(brief: Command, io: Io): void {
  brief
    .command('duplicate')
    .description('copy a project to a new draft, with its reference pictures')
    .argument('<project>', 'id of the project')
    .requiredOption('--prize <usdc>', 'prize of the copy')
    .requiredOption('--fee <usdc>', 'entry fee of the copy')
    .requiredOption('--deadline <time>', 'end of entries, such as 2030-01-31T12:00:00Z')
    .option('--title <text>', 'title of the copy')
    .action(onProject(io, duplicate));
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

type CopyOptions = { prize: string; fee: string; deadline: string; title?: string };

async function duplicate(poster: Poster, id: string, options: CopyOptions): Promise<OwnProject> {
  const { prize, fee, deadline, title } = options;
  const copy = { prize_amount: prize, entry_fee: fee, auto_select_deadline: deadline };
  return await poster.duplicate(id, title === undefined ? copy : { ...copy, title });
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
