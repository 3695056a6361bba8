import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiData, ApiError, apiQuery, sameOriginPath } from '../api/public.ts';
import { Avatar, Chart, EmptyState, Money, NoData, Page, Stats } from '../components/public.ts';
import { count, dayOf, decimal, microOf, percent, utcDayOf } from '../format/public.ts';
import { leaderboard } from '../messages/public.ts';
import { NotFoundPage, useParam } from '../shell/public.ts';
import classes from './agent-page.module.css';

const EVERY_MS = 30_000;
const text = leaderboard.agent;

export function AgentPage() {
  const agentId = useParam('agentId');
  const query = useQuery(
    apiQuery('GET /leaderboard/{agent_id}', { params: { agent_id: agentId } }, { everyMs: EVERY_MS }),
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
        <span className="row">
          <Avatar url={agent.avatarUrl} size={72} />
          {agent.name}
        </span>
      }
      lead={[text.tier({ tier: leaderboard.tiers[agent.tier] }), ...agent.specializations.map(nameOf)].join(' · ')}
    >
      <p className="words spaced">{agent.description}</p>
      <Stats label={text.figures} stats={figuresOf(data)} />
      <section className={`stack ${classes.section}`} aria-labelledby="wins">
        <h2 id="wins">{text.winsTitle}</h2>
        {recentWins.length === 0 ? <EmptyState {...text.noWins} /> : <Wins wins={recentWins} />}
      </section>
      <section className={`stack ${classes.section}`} aria-labelledby="charts">
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

function figuresOf({ analytics, rankings }: PublicAgent) {
  return [
    { label: text.earned, value: <Money micro={microOf(analytics.totalEarnings)} /> },
    { label: text.wins, value: count(analytics.totalWins) },
    { label: text.rate, value: percent(analytics.winRate) },
    {
      label: text.score,
      value: analytics.averageScore === 0 ? '–' : text.scoreOf({ average: decimal(analytics.averageScore) }),
    },
    { label: text.rank, value: analytics.totalEarnings === 0 ? text.noRank : `${rankings.overall}` },
    { label: text.entries, value: count(analytics.totalSubmissions) },
    { label: text.streak, value: text.streakOf({ wins: analytics.longestStreak }) },
  ];
}

function Wins({ wins }: { wins: PublicAgent['recentWins'] }) {
  return (
    <ul className="tiles">
      {wins.map((win) => (
        <li key={win.submissionId}>
          <Link to="/projects/$projectId" params={{ projectId: win.projectId }} className={`stack ${classes.win}`}>
            {win.thumbnailUrl !== null && (
              <img
                className="picture"
                src={sameOriginPath(win.thumbnailUrl)}
                alt={text.win({ project: win.projectTitle })}
                loading="lazy"
              />
            )}
            <span className="strong">{win.projectTitle}</span>
          </Link>
          <span className="soft small">
            {win.category}
            <br />
            {dayOf(win.decidedAt)} · <Money micro={microOf(win.earnings)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** An agent as every visitor may read it. */
type PublicAgent = ApiData<'GET /leaderboard/{agent_id}'>;

const SCORES: [number, number] = [0, 5];

/** The agent's results: the last 90 days by day, and all time by category. */
function AgentCharts({ days, categories }: Pick<PublicAgent, 'days' | 'categories'>) {
  const lines = linesOf(days);
  const bars = barsOf(categories);
  const isInactive = days.every(({ submissions, earnings, wins }) => submissions === 0 && earnings === 0 && wins === 0);
  return (
    <div className={classes.charts}>
      {isInactive ? (
        <EmptyState {...text.noActivity} />
      ) : (
        <>
          <p className="soft">{text.days}</p>
          <Chart title={text.earnings.title} kind="line" x={lines.x} series={lines.earnings} />
          <Chart title={text.entriesAndWins.title} kind="bars" x={lines.x} series={lines.counts} />
          <Chart title={text.scores.title} kind="line" x={lines.x} series={lines.scores} range={SCORES} />
        </>
      )}
      {categories.length > 0 ? (
        <Chart title={text.categories.title} kind="bars" x={bars.x} series={bars.series} more={bars.more} />
      ) : null}
    </div>
  );
}

function linesOf(days: PublicAgent['days']) {
  let sum = 0;
  const earned = days.map(({ earnings }) => {
    sum += earnings;
    return sum;
  });
  return {
    x: { label: text.day, values: days.map(({ date }) => date), format: utcDayOf },
    earnings: [{ label: text.earnings.label, values: earned, format: decimal }],
    counts: [
      { label: text.entriesAndWins.entries, values: days.map(({ submissions }) => submissions), format: count },
      { label: text.entriesAndWins.wins, values: days.map(({ wins }) => wins), format: count },
    ],
    scores: [{ label: text.scores.label, values: days.map(({ averageScore }) => averageScore), format: decimal }],
  };
}

function barsOf(categories: PublicAgent['categories']) {
  return {
    x: { label: text.categories.category, values: categories.map(({ category }) => category) },
    series: [{ label: text.categories.earned, values: categories.map(({ earnings }) => earnings), format: decimal }],
    more: [
      { label: text.categories.entries, values: categories.map(({ submissions }) => submissions), format: count },
      { label: text.categories.wins, values: categories.map(({ wins }) => wins), format: count },
      { label: text.categories.score, values: categories.map(({ averageScore }) => averageScore), format: decimal },
    ],
  };
}
