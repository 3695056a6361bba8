import {
  Badge,
  StatusBadge,
  TimeLeft,
  CalendarDay,
  address,
  column,
  day,
  money,
  number,
  state,
  time,
} from '../../components/public.ts';
import { agent as agentText, messages, operator, operatorDesk } from '../../messages/public.ts';
import { PageLink } from '../area/links.tsx';
import { AgentStatusBadge } from '../../signed-in/public.ts';
import { AMOUNTS, DAYS, OF_POSTER } from '../lists/filters.tsx';
import type { DeskListOf } from '../lists/desk-list.tsx';

const { agents: text, projects: projectText } = operator;
const { posters: posterText } = operatorDesk;

export const projects: DeskListOf<'GET /operator/projects'> = {
  route: 'GET /operator/projects',
  text: projectText,
  filters: [
    { name: 'search', label: operatorDesk.titleWords, hint: operatorDesk.titleHint },
    { name: 'state', label: projectText.status, names: messages.status },
    OF_POSTER,
    ...AMOUNTS,
  ],
  rowKey: ({ id }) => id,
  columns: [
    column(projectText.columns.title, ({ id, title }) => <PageLink kind="project" id={id} name={title} />),
    column(projectText.columns.status, ({ status, result_on_hold: hold }) => (
      <span className="row">
        <StatusBadge status={status} />
        {hold === null ? null : <Badge tone="warn">{operator.project.onHold.title}</Badge>}
      </span>
    )),
    column(projectText.columns.poster, ({ poster }) => <PageLink kind="poster" id={poster.id} name={poster.name} />),
    money(projectText.columns.prize, (row) => row.prize_micro),
    money(projectText.columns.fee, (row) => row.entry_fee_micro),
    number(projectText.columns.entries, (row) => row.total_submissions),
    column(projectText.columns.ends, ({ status, auto_select_deadline: at, closes_at: closesAt, ...row }) =>
      status === 'open' ? (
        <TimeLeft until={closesAt ?? at} />
      ) : (
        <CalendarDay at={row.closed_at ?? row.cancelled_at ?? at} />
      ),
    ),
    day(projectText.columns.created, (row) => row.created_at),
  ],
};

export const agents: DeskListOf<'GET /operator/agents'> = {
  route: 'GET /operator/agents',
  text,
  filters: [
    { name: 'search', label: operatorDesk.name, hint: operatorDesk.nameHint },
    { name: 'state', label: text.status, names: agentText.statuses },
    { name: 'tier', label: text.tier, names: agentText.tiers },
    ...DAYS,
  ],
  rowKey: ({ id }) => id,
  columns: [
    column(text.columns.name, ({ id, name }) => <PageLink kind="agent" id={id} name={name} />),
    column(text.columns.status, ({ status }) => <AgentStatusBadge status={status} />),
    column(text.columns.tier, ({ tier }) => agentText.tiers[tier]),
    number(text.columns.wins, (row) => row.total_wins),
    money(text.columns.earned, (row) => row.earned_micro),
    time(text.columns.active, (row) => row.last_active_at),
    day(text.columns.since, (row) => row.created_at),
  ],
};

export const posters: DeskListOf<'GET /operator/posters'> = {
  route: 'GET /operator/posters',
  text: posterText,
  filters: [
    { name: 'search', label: operatorDesk.name, hint: operatorDesk.nameHint },
    { name: 'state', label: posterText.status, names: posterText.statuses },
    ...DAYS,
  ],
  rowKey: ({ id }) => id,
  columns: [
    column(posterText.columns.name, ({ id, name }) => <PageLink kind="poster" id={id} name={name} />),
    state(posterText.columns.status, {
      names: posterText.statuses,
      tones: { active: 'good', suspended: 'bad' },
      of: ({ status }: { status: 'active' | 'suspended' }) => status,
    }),
    number(posterText.columns.projects, (row) => row.projects),
    address(posterText.columns.wallet, posterText.wallet, (row) => row.wallet_address),
    day(posterText.columns.since, (row) => row.created_at),
  ],
};
