import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { CalendarDay, Money, StatusBadge, TimeLeft } from '../../components/values/public.ts';
import { count } from '../../format/public.ts';
import { messages, operator } from '../../messages/public.ts';
import { type Filter, ListTable, MONEY_FILTERS, optionsOf } from '../lists/public.ts';

type Project = ApiData<'GET /operator/projects'>['projects'][number];

const text = operator.projects;
const FILTERS: Filter[] = [
  { name: 'search', label: text.search, hint: text.searchHint },
  { name: 'status', label: text.status, options: optionsOf(messages.status) },
  { name: 'poster_id', label: text.columns.poster, linked: text.onePoster },
  ...MONEY_FILTERS,
];

export function ProjectsPage() {
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/projects"
        filters={FILTERS}
        rowsOf={({ projects }) => projects}
        text={text}
        columns={columns}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

const columns: Column<Project>[] = [
  {
    key: 'title',
    label: text.columns.title,
    cell: ({ id: projectId, title }) => (
      <Link to="/operator/projects/$projectId" params={{ projectId }}>
        {title}
      </Link>
    ),
  },
  { key: 'status', label: text.columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'poster',
    label: text.columns.poster,
    cell: ({ poster }) => (
      <Link to="/operator/posters/$posterId" params={{ posterId: poster.id }}>
        {poster.name}
      </Link>
    ),
  },
  { key: 'prize', label: text.columns.prize, numeric: true, cell: (row) => <Money micro={row.prize_micro} /> },
  { key: 'fee', label: text.columns.fee, numeric: true, cell: (row) => <Money micro={row.entry_fee_micro} /> },
  { key: 'entries', label: text.columns.entries, numeric: true, cell: (row) => count(row.total_submissions) },
  {
    key: 'ends',
    label: text.columns.ends,
    cell: ({ status, auto_select_deadline: at, closes_at: closesAt, closed_at: closedAt, cancelled_at: cancelledAt }) =>
      status === 'open' ? <TimeLeft until={closesAt ?? at} /> : <CalendarDay at={closedAt ?? cancelledAt ?? at} />,
  },
  { key: 'created', label: text.columns.created, cell: (row) => <CalendarDay at={row.created_at} /> },
];
