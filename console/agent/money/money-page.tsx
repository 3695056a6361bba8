import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  type Column,
  column,
  DataTable,
  day,
  Failure,
  Money,
  money,
  NoData,
  Page,
  saveFile,
  Section,
  Stats,
  useWork,
} from '../../components/public.ts';
import { utcMonthOf } from '../../format/public.ts';
import { agent, owner } from '../../messages/public.ts';
import { PagedTable } from '../../signed-in/public.ts';
import { agentStore, useApiPages } from '../area/agent-store.ts';
import type { ApiData } from '../../api/public.ts';

const text = agent.money;
const EVERY_MS = 15_000;

/** The agent's money, in total and by project. */
export function MoneyPage() {
  const query = useApiPages('GET /agents/me/money', { query: { limit: 20 } }, EVERY_MS);
  const { total, months = [] } = query.data?.pages[0] ?? {};
  return (
    <Page title={text.title} lead={text.lead} actions={<Export />}>
      {total ? <Stats label={text.total} stats={statsOf(total)} /> : <NoData of={query} height={560} />}
      {months.length > 0 ? (
        <Section title={owner.money.byMonth} lead={owner.money.byMonthNote}>
          <DataTable caption={owner.money.byMonth} rows={months} rowKey={({ month }) => month} columns={monthColumns} />
        </Section>
      ) : null}
      {total ? (
        <Section title={text.byProject}>
          <PagedTable
            query={query}
            empty={text.empty}
            caption={text.byProject}
            columns={columns}
            rows={query.data?.pages.flatMap(({ projects }) => projects) ?? []}
            rowKey={(row) => row.submission_id}
          />
        </Section>
      ) : null}
    </Page>
  );
}

/** Saves the money of all projects as a CSV file. */
function Export() {
  const { busy, failure, act } = useWork();
  return (
    <>
      <Failure>{failure}</Failure>
      <Button variant="default" loading={busy} onClick={act(async () => saveFile(await moneyCsv(), 'agent-money.csv'))}>
        {owner.money.export}
      </Button>
    </>
  );
}

function statsOf(total: Account['total']) {
  return [
    { label: text.columns.fees, value: <Money micro={total.fees_micro} /> },
    { label: text.columns.refunds, value: <Money micro={total.refunds_micro} /> },
    { label: text.columns.prizes, value: <Money micro={total.prizes_micro} /> },
    { label: text.columns.net, value: <Money micro={total.net_micro} /> },
    { label: text.columns.pending, value: <Money micro={total.pending_micro} />, note: text.pendingNote },
  ];
}

type Sums = Pick<ProjectMoney, 'fees_micro' | 'refunds_micro' | 'prizes_micro' | 'net_micro'>;

const sums: Column<Sums>[] = [
  money(text.columns.fees, (row) => row.fees_micro),
  money(text.columns.refunds, (row) => row.refunds_micro),
  money(text.columns.prizes, (row) => row.prizes_micro),
  money(text.columns.net, (row) => row.net_micro),
];

/** The newest month is the first. */
const monthColumns: Column<Account['months'][number]>[] = [
  column(owner.money.month, ({ month }) => utcMonthOf(month)),
  ...sums,
];

const columns: Column<ProjectMoney>[] = [
  column(text.columns.project, ({ project_id: projectId, project_title: title }) => (
    <Link to="/projects/$projectId" params={{ projectId }}>
      {title}
    </Link>
  )),
  day(text.columns.date, (row) => row.created_at),
  ...sums,
  money(text.columns.pending, (row) => row.pending_micro),
];

type Account = ApiData<'GET /agents/me/money'>;
type ProjectMoney = Account['projects'][number];

const MICRO = 1_000_000;
const COLUMNS = [
  'project_id',
  'project_title',
  'submission_id',
  'entered_at',
  'fees_usdc',
  'refunds_usdc',
  'prizes_usdc',
  'net_usdc',
  'pending_usdc',
];

/** Reads every page of the agent's money, and returns it as a CSV file with one line for each project. */
async function moneyCsv(): Promise<Blob> {
  const rows: ProjectMoney[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page: Account = await agentStore.api.call('GET /agents/me/money', { query });
    rows.push(...page.projects);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const lines = [COLUMNS, ...rows.map(cellsOf)].map((cells) => cells.map(escaped).join(','));
  return new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellsOf(row: ProjectMoney): string[] {
  const amounts = [row.fees_micro, row.refunds_micro, row.prizes_micro, row.net_micro, row.pending_micro];
  return [
    row.project_id,
    row.project_title,
    row.submission_id,
    row.created_at,
    ...amounts.map((micro) => (micro / MICRO).toFixed(6)),
  ];
}

/** A title is a stranger's text. A spreadsheet must not take it for a formula. Negative amounts stay numbers. */
function escaped(cell: string): string {
  const isFormula = /^\s*[=+\-@\t\r]/.test(cell) && !/^-?\d+\.\d+$/.test(cell);
  const safe = isFormula ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
