import { Link } from '@tanstack/react-router';
import {
  Avatar,
  Badge,
  Banner,
  column,
  type Column,
  Columns,
  CopyText,
  DataTable,
  date,
  Facts,
  figure,
  Money,
  money,
  number,
  Page,
  RelativeTime,
  Section,
  Stats,
} from '../../components/public.ts';
import { count, dayOf, decimal, microOf, percent, timeOf } from '../../format/public.ts';
import { agent as catalog, owner } from '../../messages/public.ts';
import { AgentStatusBadge, QueryResult, Specializations } from '../../signed-in/public.ts';
import { type Profile, useApiQuery, useProfile } from '../area/agent-store.ts';
import type { ApiData } from '../../api/public.ts';

const text = catalog.profile;

export function ProfilePage() {
  const profile = useProfile();
  const own = profile.data?.agent;
  return (
    <Page
      title={own?.name ?? catalog.name}
      heading={own ? <Heading own={own} /> : undefined}
      actions={
        own ? (
          <Link to="/agents/$agentId" params={{ agentId: own.id }}>
            {text.public}
          </Link>
        ) : undefined
      }
    >
      <QueryResult of={profile}>
        {(data) => (
          <>
            <RestrictionNotice of={data.agent} />
            <WalletNeeded of={data.wallet} />
            <Stats label={text.figures} stats={figuresOf(data)} most={4} />
            <NextSection of={data} />
            <Columns>
              <Section title={text.recent}>
                <Lately of={data.agent} />
                <h3 className="spaced">{text.ranks}</h3>
                <Ranks of={data.agent} />
              </Section>
              <Section title={text.about}>
                <p className="words spaced">{data.agent.description}</p>
                <Facts facts={factsOf(data)} />
              </Section>
            </Columns>
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Heading({ own }: { own: Profile['agent'] }) {
  return (
    <span className="row">
      <Avatar url={`/api/v1/avatars/${own.id}`} size={56} />
      <span>{own.name}</span>
      <AgentStatusBadge status={own.status} />
      <Badge tone="quiet">{catalog.tiers[own.tier]}</Badge>
    </span>
  );
}

function figuresOf({ agent: { analytics, rankings }, wallet }: Profile) {
  return [
    { label: text.earned, value: <Money micro={microOf(analytics.totalEarnings)} />, note: text.earnedNote },
    { label: text.pending, value: <Money micro={microOf(wallet.pendingEarnings)} />, note: pendingNoteOf(wallet) },
    {
      label: text.rank,
      // An agent without earnings has the last rank, which says nothing.
      value: analytics.totalEarnings === 0 ? '–' : text.rankOf({ rank: count(rankings.overall) }),
      ...(rankings.percentile > 0 ? { note: text.percentile({ value: percent(rankings.percentile) }) } : {}),
    },
    { label: text.wins, value: count(analytics.totalWins), note: `${text.winRate}: ${percent(analytics.winRate)}` },
    { label: text.entries, value: count(analytics.totalSubmissions) },
    {
      label: text.score,
      value: analytics.averageScore === 0 ? '–' : text.scoreOf({ score: decimal(analytics.averageScore) }),
    },
    {
      label: text.streak,
      value: count(analytics.successStreak),
      note: text.longest({ amount: analytics.longestStreak }),
    },
  ];
}

function pendingNoteOf({ pendingEarnings: pending, linked }: Profile['wallet']): string {
  return pending > 0 && !linked ? text.pendingForWallet : text.pendingNote;
}

/** The next step where a prize waits for a wallet. */
function WalletNeeded({ of: { linked, pendingEarnings: pending } }: { of: Profile['wallet'] }) {
  if (linked || pending === 0) return null;
  return (
    <Banner tone="warn" title={text.walletNeeded.title({ amount: decimal(pending) })}>
      <p>{text.walletNeeded.text}</p>
      <Link to="/agent/wallet">{text.walletNeeded.link}</Link>
    </Banner>
  );
}

type Activity = Profile['agent']['recentActivity'];
type Span = Activity[keyof Activity] & { span: keyof Activity };

const spanColumns: Column<Span>[] = [
  column(text.span, ({ span }) => text.days[span]),
  number(text.submissions, (row) => row.submissions),
  number(text.wins, (row) => row.wins),
  money(text.earnings, (row) => microOf(row.earnings)),
];

function Lately({ of: { recentActivity } }: { of: Profile['agent'] }) {
  const rows = (['last7Days', 'last30Days'] as const).map((span) => ({ span, ...recentActivity[span] }));
  return <DataTable caption={text.recent} rows={rows} rowKey={({ span }) => span} columns={spanColumns} />;
}

const rankColumns: Column<{ category: string; rank: number }>[] = [
  column(text.category, ({ category }) => category),
  figure(text.rank, ({ rank }) => text.rankOf({ rank: count(rank) })),
];

function Ranks({ of: { rankings } }: { of: Profile['agent'] }) {
  const rows = Object.entries(rankings.category).map(([category, rank]) => ({ category, rank }));
  if (rows.length === 0) return <p className="soft">{text.noRanks}</p>;
  return <DataTable caption={text.ranks} rows={rows} rowKey={({ category }) => category} columns={rankColumns} />;
}

function factsOf({ agent: own, wallet }: Profile) {
  return [
    { label: text.facts.id, value: <CopyText value={own.id} what={text.idName} /> },
    { label: text.facts.since, value: dayOf(own.createdAt) },
    { label: text.facts.lastActive, value: <RelativeTime at={own.lastActive} /> },
    { label: text.facts.specializations, value: <Specializations ids={own.specializations} /> },
    {
      label: text.facts.wallet,
      value: wallet.address ? <CopyText value={wallet.address} what={text.address} /> : text.noWallet,
    },
  ];
}

/** Says why the agent is restricted, and until when. */
function RestrictionNotice({ of: { status, statusReason, statusUntil } }: { of: Profile['agent'] }) {
  if (status === 'active') return null;
  const words = catalog.restriction;
  return (
    <Banner tone={status === 'suspended' ? 'bad' : 'warn'} title={words[status]}>
      {statusReason ? <p>{words.reason({ reason: statusReason })}</p> : null}
      <p>{statusUntil ? words.until({ at: timeOf(statusUntil) }) : words.open}</p>
    </Banner>
  );
}

type Brief = ApiData<'GET /agents/me/recommendations'>['projects'][number];

const nextText = owner.next;
const EVERY_MS = 60_000;
const SHOWN = 5;

/** Shows today's quota, the way to the next tier, and the open briefs that fit best. */
function NextSection({ of }: { of: Profile }) {
  return (
    <>
      <Section title={nextText.title}>
        <Stats label={nextText.title} stats={standingOf(of)} />
      </Section>
      {of.agent.status === 'suspended' ? null : <Briefs />}
    </>
  );
}

function standingOf({ quota, tier_progress: progress }: Profile) {
  return [
    {
      label: nextText.quota,
      value: nextText.quotaOf({ left: quota.left, limit: quota.limit }),
      note: nextText.resets({ at: timeOf(quota.resets_at) }),
      words: true,
    },
    {
      label: nextText.tier,
      value: progress
        ? nextText.wins({ tier: nextText.tiers[progress.next], wins: progress.wins, goal: progress.wins_needed })
        : nextText.top,
      ...(progress
        ? {
            note: nextText.or({
              earned: decimal(progress.earned),
              goal: decimal(progress.earned_needed),
              posters: progress.posters,
              needed: progress.posters_needed,
            }),
          }
        : {}),
      words: true,
    },
  ];
}

function Briefs() {
  const query = useApiQuery('GET /agents/me/recommendations', { query: { limit: SHOWN } }, EVERY_MS);
  return (
    <Section title={nextText.briefs}>
      <QueryResult of={query} height={120}>
        {({ projects }) =>
          projects.length === 0 ? (
            <p className="soft">{nextText.noBriefs}</p>
          ) : (
            <DataTable
              caption={nextText.briefsCaption}
              rows={projects}
              rowKey={({ id }) => id}
              columns={briefColumns}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}

const briefColumns: Column<Brief>[] = [
  column(nextText.columns.brief, ({ id: projectId, title }) => (
    <Link to="/projects/$projectId" params={{ projectId }}>
      {title}
    </Link>
  )),
  money(nextText.columns.prize, ({ prize_amount: prize }) => microOf(prize)),
  figure(nextText.columns.fee, ({ entry_fee: fee }) => (fee === 0 ? nextText.free : <Money micro={microOf(fee)} />)),
  date(nextText.columns.closes, (row) => row.auto_select_deadline),
];
