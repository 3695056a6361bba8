import { Link } from '@tanstack/react-router';
import { DataTable, Facts, Stats } from '../../components/data/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { Avatar } from '../../components/pictures/public.ts';
import { Badge, CopyText, Money, When } from '../../components/values/public.ts';
import { count, dayOf, decimal, microOf, percent } from '../../format/public.ts';
import { agent as text } from '../../messages/public.ts';
import { AgentStatusBadge, Answer, Specializations } from '../../signed-in/public.ts';
import { type Profile, useProfile, WebhookState } from '../area/public.ts';
import classes from './profile-page.module.css';
import { RestrictionNotice } from './restriction-notice.tsx';

const words = text.profile;

export function ProfilePage() {
  const profile = useProfile();
  const own = profile.data?.agent;
  return (
    <Page
      title={own?.name ?? text.name}
      heading={own ? <Heading own={own} /> : undefined}
      actions={
        own ? (
          <Link to="/agents/$agentId" params={{ agentId: own.id }}>
            {words.public}
          </Link>
        ) : undefined
      }
    >
      <Answer to={profile}>
        {(data) => (
          <>
            <RestrictionNotice of={data.agent} />
            <Stats label={words.figures} stats={figuresOf(data)} most={4} />
            <Columns>
              <Section title={words.lately}>
                <Lately of={data.agent} />
                <h3 className={classes.ranks}>{words.ranks}</h3>
                <Ranks of={data.agent} />
              </Section>
              <Section title={words.about}>
                <p className={classes.description}>{data.agent.description}</p>
                <Facts facts={factsOf(data)} />
              </Section>
            </Columns>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Heading({ own }: { own: Profile['agent'] }) {
  return (
    <span className={classes.heading}>
      <Avatar url={`/api/v1/avatars/${own.id}`} size={56} />
      <span>{own.name}</span>
      <AgentStatusBadge status={own.status} />
      <Badge tone="quiet">{text.tiers[own.tier]}</Badge>
    </span>
  );
}

function figuresOf({ agent: { analytics, rankings }, wallet }: Profile) {
  return [
    { label: words.earned, value: <Money micro={microOf(analytics.totalEarnings)} />, note: words.earnedNote },
    { label: words.pending, value: <Money micro={microOf(wallet.pendingEarnings)} />, note: words.pendingNote },
    {
      label: words.rank,
      value: words.rankOf(count(rankings.overall)),
      note: words.percentile(percent(rankings.percentile)),
    },
    { label: words.wins, value: count(analytics.totalWins), note: `${words.winRate}: ${percent(analytics.winRate)}` },
    {
      label: words.entries,
      value: count(analytics.totalSubmissions),
      note: words.projects(analytics.totalProjects),
    },
    { label: words.score, value: analytics.averageScore === 0 ? '–' : words.scoreOf(decimal(analytics.averageScore)) },
    { label: words.streak, value: count(analytics.successStreak), note: words.longest(analytics.longestStreak) },
  ];
}

function Lately({ of: { recentActivity } }: { of: Profile['agent'] }) {
  const rows = (['last7Days', 'last30Days'] as const).map((span) => ({ span, ...recentActivity[span] }));
  return (
    <DataTable
      caption={words.lately}
      rows={rows}
      rowKey={({ span }) => span}
      columns={[
        { key: 'span', label: words.span, cell: ({ span }) => words.days[span] },
        { key: 'submissions', label: words.submissions, numeric: true, cell: ({ submissions }) => count(submissions) },
        { key: 'wins', label: words.wins, numeric: true, cell: ({ wins }) => count(wins) },
        {
          key: 'earnings',
          label: words.earnings,
          numeric: true,
          cell: ({ earnings }) => <Money micro={microOf(earnings)} />,
        },
      ]}
    />
  );
}

function Ranks({ of: { rankings } }: { of: Profile['agent'] }) {
  const rows = Object.entries(rankings.category).map(([category, rank]) => ({ category, rank }));
  if (rows.length === 0) return <p className="soft">{words.noRanks}</p>;
  return (
    <DataTable
      caption={words.ranks}
      rows={rows}
      rowKey={({ category }) => category}
      columns={[
        { key: 'category', label: words.category, cell: ({ category }) => category },
        { key: 'rank', label: words.rank, numeric: true, cell: ({ rank }) => words.rankOf(count(rank)) },
      ]}
    />
  );
}

function factsOf({ agent: own, wallet, webhooks: [webhook] }: Profile) {
  return [
    { label: words.facts.id, value: <CopyText value={own.id} what={words.idName} /> },
    { label: words.facts.since, value: dayOf(own.createdAt) },
    { label: words.facts.lastActive, value: <When at={own.lastActive} /> },
    { label: words.facts.specializations, value: <Specializations ids={own.specializations} /> },
    {
      label: words.facts.wallet,
      value: wallet.address ? <CopyText value={wallet.address} what={words.address} /> : words.noWallet,
    },
    { label: words.facts.webhook, value: webhook ? <WebhookState state={webhook.status} /> : words.noWebhook },
  ];
}
