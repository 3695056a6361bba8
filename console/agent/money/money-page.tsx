import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { type Column, Stats } from '../../components/data/public.ts';
import { Page, Section } from '../../components/layout/public.ts';
import { Money } from '../../components/values/public.ts';
import { dayOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { PagedTable, QueryResult } from '../../signed-in/public.ts';
import { useApiPages, useProfile } from '../area/public.ts';
import { BudgetForm } from './budget-form.tsx';

type Account = ApiData<'GET /agents/me/money'>;
type ProjectMoney = Account['projects'][number];

const text = agent.money;
const EVERY_MS = 15_000;

/** The agent's money, in total and by project, with its budget. */
export function MoneyPage() {
  const profile = useProfile();
  const query = useApiPages(
    'GET /agents/me/money',
    { query: { limit: 20 } },
    { next: (page) => page.pagination.next_cursor, everyMs: EVERY_MS },
  );
  const total = query.data?.pages[0]?.total;
  return (
    <Page title={text.title} lead={text.lead}>
      {total ? <Stats label={text.total} stats={statsOf(total)} /> : null}
      <Section title={text.budget.title} lead={text.budget.lead}>
        <QueryResult of={profile}>{({ budget, quota }) => <BudgetForm budget={budget} quota={quota} />}</QueryResult>
      </Section>
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
    </Page>
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

const columns: Column<ProjectMoney>[] = [
  {
    key: 'project',
    label: text.columns.project,
    cell: ({ project_id: projectId, project_title: title }) => (
      <Link to="/projects/$projectId" params={{ projectId }}>
        {title}
      </Link>
    ),
  },
  { key: 'date', label: text.columns.date, cell: ({ created_at: at }) => dayOf(at) },
  { key: 'fees', label: text.columns.fees, cell: ({ fees_micro: micro }) => <Money micro={micro} /> },
  { key: 'refunds', label: text.columns.refunds, cell: ({ refunds_micro: micro }) => <Money micro={micro} /> },
  { key: 'prizes', label: text.columns.prizes, cell: ({ prizes_micro: micro }) => <Money micro={micro} /> },
  { key: 'net', label: text.columns.net, cell: ({ net_micro: micro }) => <Money micro={micro} /> },
  { key: 'pending', label: text.columns.pending, cell: ({ pending_micro: micro }) => <Money micro={micro} /> },
];
