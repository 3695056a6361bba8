import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { Agent, EntryStep, Quote, Result, Submission } from '../../../sdk/src/index.ts';
import { approve } from '../approve.ts';
import { act, type Context } from '../context.ts';
import type { Io, Output } from '../io.ts';
import { time, usdc, oneLine } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { limitOption, take } from './take.ts';

const CLEAR_LINE = '\r\u001B[K';

/** Shows one line that changes. Without a terminal it shows nothing. */
function progressOn(output: Output): { show(text: string): void; clear(): void } {
  if (!output.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void output.write(`${CLEAR_LINE}${oneLine(text)}`),
    clear: () => void output.write(CLEAR_LINE),
  };
}

export function addEnter(program: Command, io: Io): void {
  program
    .command('enter')
    .description('enter a project: reserve, pay, upload, and confirm. Repeat it after a crash: it pays once')
    .argument('<project>', 'id of the project')
    .argument('[files...]', 'the pictures, in the order of the items. None: confirm what is uploaded already')
    .option('--title <text>', 'title of the entry. Default: the name of the first file')
    .option('--description <text>', 'about the entry')
    .option('--max-fee <usdc>', 'the highest entry fee that may be paid')
    .option('--terms-hash <hash>', 'the terms that you agree to. Default: those of now')
    .action(act(io, enter));

  program
    .command('entries')
    .description('list your entries in every state, or with --results how they fared')
    .addOption(new Option('--status <status>', 'entries in this state').choices(['pending', 'submitted', 'withdrawn']))
    .option('--results', 'scores, prizes, and feedback of confirmed entries')
    .addOption(limitOption())
    .action(act(io, entries));
}

type EnterOptions = { title?: string; description?: string; maxFee?: string; termsHash?: string };

async function enter(context: Context, project: string, files: string[], options: EnterOptions): Promise<void> {
  const { io } = context;
  const agent = await context.agent();
  const quote = await agent.quote(project);
  const maxFee = await approveFee(context, { agent, quote, project, cap: options.maxFee });
  const title = options.title ?? basename(files[0] ?? '', extname(files[0] ?? ''));
  const termsHash = options.termsHash ?? quote.terms_hash;
  const progress = progressOn(io.stderr);
  try {
    const entry = await agent.enter(project, {
      title,
      maxFee,
      ...(options.description === undefined ? {} : { description: options.description }),
      // The terms that applied when the user confirmed the price.
      termsHash,
      ...(files.length === 0 ? {} : { files }),
      onProgress: (step) => progress.show(textOf(step)),
    });
    progress.clear();
    context.print(entry, () => pairsOf(factsOf(entry)));
  } finally {
    progress.clear();
  }
}

type Fee = { agent: Agent; quote: Quote; project: string; cap: string | undefined };

/** Returns the highest fee of this call. An entry that cannot be made, or that is paid already, needs no confirmation. */
async function approveFee(context: Context, { agent, quote, project, cap }: Fee): Promise<number> {
  const isPaid = quote.submission_id !== null && (await isPaidFor(agent, quote.submission_id));
  if (isPaid || (quote.submission_id === null && !quote.possible)) return 0;
  const { title } = await agent.project(project);
  const amountMicro = quote.entry_fee_micro;
  const question = `Pay ${usdc(amountMicro)} USDC to enter “${title}”`;
  return await approve(context, { question, amountMicro, cap, capOption: '--max-fee' });
}

async function isPaidFor(agent: Agent, submissionId: string): Promise<boolean> {
  // A payment that is settling can fail.
  return (await agent.submission(submissionId)).payment === 'settled';
}

function textOf(step: EntryStep): string {
  switch (step.step) {
    case 'reserved':
      return `Reserved as ${step.submission_id}`;
    case 'paying':
      return `Paying ${usdc(step.amount_micro)} USDC`;
    case 'uploading':
    case 'uploaded':
      return `${step.step === 'uploading' ? 'Uploading' : 'Uploaded'} picture ${step.item}`;
    case 'confirming':
      return 'Confirming';
    case 'waiting':
      return `Waiting ${Math.ceil(step.seconds)} s (${step.code})`;
    case 'done':
      return 'Done';
  }
}

function factsOf(entry: Submission) {
  return {
    entry: entry.id,
    project: entry.project_title,
    title: entry.title,
    status: entry.status,
    'fee paid': `${usdc(entry.entry_fee_paid)} USDC`,
    transaction: entry.payment_tx_hash,
    'entries end': time(entry.auto_select_deadline),
  };
}

type ListOptions = { status?: Submission['status']; results?: boolean; limit: number };

const entryColumns: Columns<Submission> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  FEE: ({ entry_fee_micro: micro }) => usdc(micro),
  PAYMENT: ({ payment }) => payment,
  NEXT: ({ next }) => next?.operation_id,
  TITLE: ({ title }) => title,
  PROJECT: ({ project_id: id, project_title: title }) => `${id} ${title}`,
};

const resultColumns: Columns<Result> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  SCORE: ({ score }) => score,
  RANK: ({ rank, totalSubmissions: all }) => (rank === null ? null : `${rank}/${all}`),
  EARNED: ({ earnings }) => earnings,
  PAYOUT: ({ payoutStatus }) => payoutStatus,
  PROJECT: ({ projectTitle }) => projectTitle,
  FEEDBACK: ({ feedback }) => feedback,
};

async function entries(context: Context, { status, results, limit }: ListOptions): Promise<void> {
  const agent = await context.agent();
  const { stdout } = context.io;
  if (results) {
    const rows = await take(agent.results(), limit);
    return context.print(rows, () => tableOf(rows, resultColumns, stdout.columns));
  }
  const rows = await take(agent.submissions(status === undefined ? {} : { status }), limit);
  context.print(rows, () => tableOf(rows, entryColumns, stdout.columns));
}
