import { Link } from '@tanstack/react-router';
import type { ApiData } from '../api.ts';
import type { Column } from '../components/data-table.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { TimeLeft } from '../components/time-left.tsx';
import { count, dayOf, timeOf } from '../format.ts';
import { Choice, FilterBar, SearchField } from '../keyed/filter-bar.tsx';
import { PagedTable } from '../keyed/paged-table.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { operator } from '../messages/operator.ts';
import { messages } from '../messages/shell.ts';
import { LIST_MS, usePages } from './own-service.ts';

type Project = ApiData<'GET /operator/projects'>['projects'][number];

const text = operator.projects;
const STATUSES = Object.entries(messages.status).map(([value, label]) => ({ value, label }));

export function ProjectsPage() {
  const { values, isFiltered, change, clear } = useFilters(['search', 'status', 'poster_id']);
  const asked = usePages(
    'GET /operator/projects',
    { query: values },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  return (
    <Page title={text.title} lead={text.lead}>
      <FilterBar filtered={isFiltered} onClear={clear}>
        <SearchField
          label={text.search}
          hint={text.searchHint}
          value={values.search}
          onChange={(value) => change('search', value)}
        />
        <Choice
          label={text.status}
          value={values.status}
          onChange={(value) => change('status', value)}
          options={STATUSES}
        />
      </FilterBar>
      <PagedTable
        asked={asked}
        empty={text.empty}
        filtered={isFiltered}
        caption={text.caption}
        columns={columns}
        rows={asked.data?.pages.flatMap(({ projects }) => projects) ?? []}
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
      <Link to="/operator/projects" search={{ poster_id: poster.id }}>
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
    cell: ({ status, auto_select_deadline: at, closed_at: closedAt }) =>
      status === 'open' ? <TimeLeft until={at} /> : timeOf(closedAt ?? at),
  },
  { key: 'created', label: text.columns.created, cell: (row) => dayOf(row.created_at) },
];
