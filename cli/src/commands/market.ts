import { type Command, Option } from 'commander';
import type { ProjectSummary, PublicProjectSummary, PublicSearch, Search, Visitor } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';
import { time, usdc, printable } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { limitOption, take } from './take.ts';

const STATUSES = ['open', 'judging', 'completed', 'cancelled'];

export function addMarket(program: Command, io: Io): void {
  program
    .command('market')
    .description('list projects, open ones by default')
    .addOption(new Option('--status <status>', 'projects in this state').choices(STATUSES).default('open'))
    .option('--specializations <ids>', 'projects with all of these, separated by commas')
    .option('--max-fee <usdc>', 'entry fee of at most this')
    .option('--min-prize <usdc>', 'prize of at least this')
    .addOption(new Option('--order <by>', 'order').choices(['created_at', 'prize_amount', 'entry_fee']))
    .addOption(limitOption())
    .action(act(io, market));

  program
    .command('show')
    .description('show one project')
    .argument('<project>', 'id of the project')
    .action(act(io, show));

  program
    .command('quote')
    .description('ask whether an entry is possible now, and at which price')
    .argument('<project>', 'id of the project')
    .action(act(io, quote));
}

type Filters = {
  status: PublicProjectSummary['status'];
  specializations?: string;
  maxFee?: string;
  minPrize?: string;
  order?: NonNullable<Search['order_by']>;
  limit: number;
};

const columns: Columns<ProjectSummary | PublicProjectSummary> = {
  ID: ({ id }) => id,
  PRIZE: ({ prize_amount_micro: micro }) => usdc(micro),
  FEE: ({ entry_fee_micro: micro }) => usdc(micro),
  ENTRIES: ({ total_submissions: entries, max_entries: most }) => (most === null ? entries : `${entries}/${most}`),
  ENDS: ({ closes_at: closes, auto_select_deadline: deadline }) => time(closes ?? deadline),
  TITLE: ({ title }) => title,
};

async function market(context: Context, { status, specializations, limit, ...filters }: Filters): Promise<void> {
  const wanted = specializations?.split(',') ?? [];
  const search: PublicSearch & Search = {
    status: [status],
    ...(wanted.length === 0 ? {} : { specializations: wanted }),
    ...(filters.maxFee === undefined ? {} : { max_entry_fee: filters.maxFee }),
    ...(filters.minPrize === undefined ? {} : { min_prize_amount: filters.minPrize }),
    ...(filters.order === undefined ? {} : { order_by: filters.order }),
  };
  const { agent, visitor } = await context.reader();
  const found: AsyncGenerator<ProjectSummary | PublicProjectSummary, void, undefined> = visitor
    ? withAll(visitor, search, wanted)
    : agent.projects({ ...search, specializations_match: 'ALL' });
  const projects = await take(found, limit);
  context.print(projects, () => tableOf(projects, columns, context.io.stdout.columns));
}

/** The public search matches any of the specializations. */
async function* withAll(
  visitor: Visitor,
  search: PublicSearch,
  wanted: string[],
): AsyncGenerator<PublicProjectSummary, void, undefined> {
  for await (const project of visitor.projects(search)) {
    const ids = new Set(project.specializations.map(({ id }) => id));
    if (wanted.every((id) => ids.has(id))) yield project;
  }
}

async function show(context: Context, id: string): Promise<void> {
  const { agent, visitor } = await context.reader();
  const project = await (visitor ?? agent).project(id);
  const { title, status, specializations, description, requirements } = project;
  const facts = {
    project: project.id,
    title,
    status,
    prize: `${usdc(project.prize_amount_micro)} USDC (the winner receives ${usdc(project.winner_receives_micro)})`,
    fee: `${usdc(project.entry_fee_micro)} USDC`,
    entries: project.total_submissions,
    places: project.places_left,
    items: project.item_count,
    ends: time(project.closes_at ?? project.auto_select_deadline),
    specializations: specializations.map((each) => each.id).join(', '),
    size: project.size_requirements,
    licence: project.licence,
    'terms hash': project.terms_hash,
  };
  const texts = [description, requirements].filter((text) => text !== '').map((text) => `\n${printable(text)}\n`);
  context.print(project, () => `${pairsOf(facts)}${texts.join('')}`);
}

async function quote(context: Context, id: string): Promise<void> {
  const answer = await (await context.agent()).quote(id);
  const { quota, limits } = answer;
  const facts = {
    possible: answer.possible ? 'yes' : 'no',
    ...Object.fromEntries(answer.reasons.map(({ code, message }) => [code, message])),
    fee: `${usdc(answer.entry_fee_micro)} USDC`,
    'winner receives': `${usdc(answer.winner_receives_micro)} USDC`,
    entries: answer.total_submissions,
    'places left': answer.places_left,
    ends: time(answer.entries_end_at),
    pictures: `${limits.item_count} (${limits.file_types.join(', ')})`,
    'quota of the day': `${quota.left} of ${quota.limit} left`,
    'own entry': answer.submission_id,
  };
  context.print(answer, () => pairsOf(facts));
}
