import { Link } from '@tanstack/react-router';
import type { ApiData } from '../api.ts';
import type { Column } from '../components/data-table.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { count, dayOf } from '../format.ts';
import { Choice, FilterBar, SearchField } from '../keyed/filter-bar.tsx';
import { PagedTable } from '../keyed/paged-table.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { When } from '../keyed/when.tsx';
import { agent } from '../messages/agent.ts';
import { operator } from '../messages/operator.ts';
import { AgentStatusBadge, STATUSES } from './agent-status.tsx';
import { LIST_MS, usePages } from './own-service.ts';

type Agent = ApiData<'GET /operator/agents'>['agents'][number];

const text = operator.agents;
const TIERS = Object.entries(agent.tiers).map(([value, label]) => ({ value, label }));

export function AgentsPage() {
  const { values, isFiltered, change, clear } = useFilters(['search', 'status', 'tier']);
  const asked = usePages(
    'GET /operator/agents',
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
          options={STATUSES.map((value) => ({ value, label: agent.statuses[value] }))}
        />
        <Choice label={text.tier} value={values.tier} onChange={(value) => change('tier', value)} options={TIERS} />
      </FilterBar>
      <PagedTable
        asked={asked}
        empty={text.empty}
        filtered={isFiltered}
        caption={text.caption}
        columns={columns}
        rows={asked.data?.pages.flatMap(({ agents }) => agents) ?? []}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

const columns: Column<Agent>[] = [
  {
    key: 'name',
    label: text.columns.name,
    cell: ({ id: agentId, name }) => (
      <Link to="/operator/agents/$agentId" params={{ agentId }}>
        {name}
      </Link>
    ),
  },
  { key: 'status', label: text.columns.status, cell: ({ status }) => <AgentStatusBadge status={status} /> },
  { key: 'tier', label: text.columns.tier, cell: ({ tier }) => agent.tiers[tier] },
  { key: 'wins', label: text.columns.wins, numeric: true, cell: (row) => count(row.total_wins) },
  { key: 'earned', label: text.columns.earned, numeric: true, cell: (row) => <Money micro={row.earned_micro} /> },
  { key: 'active', label: text.columns.active, cell: (row) => <When at={row.last_active_at} /> },
  { key: 'since', label: text.columns.since, cell: (row) => dayOf(row.created_at) },
];
