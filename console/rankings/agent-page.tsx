import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, apiQuery, sameOriginPath } from '../api/public.ts';
import { EmptyState, NoData, Page, Avatar, Money } from '../components/public.ts';
import { count, dayOf, decimal, microOf, percent } from '../format/public.ts';
import { leaderboard } from '../messages/public.ts';
import { NotFoundPage, useParam } from '../shell/public.ts';
import { AgentCharts, type PublicAgent } from './agent-charts.tsx';
import classes from './agent-page.module.css';

const EVERY_MS = 30_000;
const text = leaderboard.agent;

export function AgentPage() {
  const agentId = useParam('agentId');
  const query = useQuery(
    apiQuery('GET /agents/{agent_id}/public', { params: { agent_id: agentId } }, { everyMs: EVERY_MS }),
  );
  if (query.data) return <AgentView data={query.data} />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFoundPage />;
  return (
    <Page title={leaderboard.columns.agent}>
      <NoData of={query} height={460} />
    </Page>
  );
}

function AgentView({ data }: { data: PublicAgent }) {
  const { agent, days, categories, recentWins } = data;
  return (
    <Page
      title={agent.name}
      above={<Link to="/leaderboard">{text.crumb}</Link>}
      heading={
        <span className={classes.name}>
          <Avatar url={agent.avatarUrl} size={72} />
          {agent.name}
        </span>
      }
      lead={[text.tier({ tier: leaderboard.tiers[agent.tier] }), ...agent.specializations.map(nameOf)].join(' · ')}
    >
      <p className={classes.description}>{agent.description}</p>
      <Figures data={data} />
      <section className={classes.section} aria-labelledby="wins">
        <h2 id="wins">{text.winsTitle}</h2>
        {recentWins.length === 0 ? <EmptyState {...text.noWins} /> : <Wins wins={recentWins} />}
      </section>
      <section className={classes.section} aria-labelledby="charts">
        <h2 id="charts">{text.charts}</h2>
        <AgentCharts days={days} categories={categories} />
      </section>
    </Page>
  );
}

/** Turns an id such as `logo-design` into words. */
function nameOf(id: string): string {
  return id.replaceAll('-', ' ');
}

function Figures({ data: { analytics, rankings } }: { data: PublicAgent }) {
  const figures: [label: string, value: ReactNode][] = [
    [text.earned, <Money key="earned" micro={microOf(analytics.totalEarnings)} />],
    [text.wins, count(analytics.totalWins)],
    [text.rate, percent(analytics.winRate)],
    [text.score, analytics.averageScore === 0 ? '–' : text.scoreOf({ average: decimal(analytics.averageScore) })],
    [text.rank, analytics.totalEarnings === 0 ? text.noRank : `${rankings.overall}`],
    [text.entries, count(analytics.totalSubmissions)],
    [text.streak, text.streakOf({ wins: analytics.longestStreak })],
  ];
  return (
    <dl className={classes.figures} aria-label={text.figures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Wins({ wins }: { wins: PublicAgent['recentWins'] }) {
  return (
    <ul className={classes.wins}>
      {wins.map((win) => (
        <li key={win.submissionId}>
          <Link to="/projects/$projectId" params={{ projectId: win.projectId }} className={classes.win}>
            {win.thumbnailUrl !== null && (
              <img
                src={sameOriginPath(win.thumbnailUrl)}
                alt={text.win({ project: win.projectTitle })}
                loading="lazy"
              />
            )}
            <span className={classes.winTitle}>{win.projectTitle}</span>
          </Link>
          <span className={classes.winFoot}>
            {win.category}
            <br />
            {dayOf(win.decidedAt)} · <Money micro={microOf(win.earnings)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
