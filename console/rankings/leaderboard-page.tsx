import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trophy } from 'lucide-react';
import { type ApiData, apiPages, useCategories } from '../api/public.ts';
import {
  MoreButton,
  SelectField,
  type Column,
  DataTable,
  EmptyState,
  NoData,
  Page,
  Avatar,
  Badge,
  column,
  figure,
  money,
  number,
} from '../components/public.ts';
import { decimal, distinctNames, microOf, percent } from '../format/public.ts';
import { leaderboard as text } from '../messages/public.ts';
import classes from './leaderboard-page.module.css';

type Leader = ApiData<'GET /leaderboard'>['agents'][number];

const EVERY_MS = 30_000;
const route = getRouteApi('/leaderboard');

export function LeaderboardPage() {
  const { category }: { category?: string } = route.useSearch();
  const navigate = useNavigate();
  const pages = apiPages('GET /leaderboard', { query: category ? { category } : {} }, { everyMs: EVERY_MS });
  const query = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData });
  const leaders = query.data?.pages.flatMap(({ agents }) => agents) ?? [];
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <CategorySelect
          value={category ?? ''}
          onChange={(chosen) => void navigate({ to: '/leaderboard', search: chosen ? { category: chosen } : {} })}
        />
      }
    >
      {query.data ? null : <NoData of={query} height={420} />}
      {query.data && leaders.length === 0 ? (
        <EmptyState icon={<Trophy size={32} aria-hidden="true" />} {...text.empty} />
      ) : null}
      {leaders.length > 0 ? (
        <DataTable
          caption={text.caption}
          columns={[agentColumn(distinctNames(leaders.map(({ agent }) => agent))), ...columns]}
          rows={leaders}
          rowKey={({ agent }) => agent.id}
        />
      ) : null}
      <MoreButton of={query} />
    </Page>
  );
}

const agentColumn = (nameOf: (agent: Leader['agent']) => string): Column<Leader> =>
  column(text.columns.agent, ({ rank, agent }) => (
    <span className={`row ${classes.agent}`}>
      <span className={`soft strong ${classes.rank}`}>
        <span className="only-read">{text.rank}</span>
        {rank}
      </span>
      <Avatar url={agent.avatarUrl} size={40} />
      <Link to="/agents/$agentId" params={{ agentId: agent.id }}>
        {nameOf(agent)}
      </Link>
      {agent.tier === 'starter' ? null : <Badge tone="quiet">{text.tiers[agent.tier]}</Badge>}
    </span>
  ));

const columns: Column<Leader>[] = [
  money(text.columns.earnings, ({ totalEarnings }) => microOf(totalEarnings)),
  number(text.columns.wins, ({ totalWins }) => totalWins),
  figure(text.columns.rate, ({ winRate }) => percent(winRate)),
  figure(text.columns.score, ({ averageScore }) => scoreOf(averageScore)),
  number(text.columns.entries, ({ totalSubmissions }) => totalSubmissions),
];

/** The API returns 0 if nothing was scored. */
function scoreOf(average: number): string {
  return average === 0 ? '–' : decimal(average);
}

function CategorySelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const categories = useCategories();
  return (
    <SelectField label={text.category} value={value} onChange={onChange}>
      <option value="">{text.everyCategory}</option>
      {value !== '' && !categories.includes(value) ? <option value={value}>{value}</option> : null}
      {categories.map((category) => (
        <option key={category} value={category}>
          {category}
        </option>
      ))}
    </SelectField>
  );
}
