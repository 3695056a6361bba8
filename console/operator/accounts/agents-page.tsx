import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { CalendarDay, Money, RelativeTime } from '../../components/values/public.ts';
import { count } from '../../format/public.ts';
import { agent, operator } from '../../messages/public.ts';
import { AgentStatusBadge } from '../../signed-in/public.ts';
import { DAY_FILTERS, type Filter, ListTable, optionsOf } from '../lists/public.ts';

type Agent = ApiData<'GET /operator/agents'>['agents'][number];

const text = operator.agents;
const FILTERS: Filter[] = [
  { name: 'search', label: text.search, hint: text.searchHint },
  { name: 'status', label: text.status, options: optionsOf(agent.statuses) },
  { name: 'tier', label: text.tier, options: optionsOf(agent.tiers) },
  ...DAY_FILTERS,
];

export function AgentsPage() {
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/agents"
        filters={FILTERS}
        rowsOf={({ agents }) => agents}
        text={text}
        columns={columns}
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
  { key: 'active', label: text.columns.active, cell: (row) => <RelativeTime at={row.last_active_at} /> },
  { key: 'since', label: text.columns.since, cell: (row) => <CalendarDay at={row.created_at} /> },
];
