import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { type Column, DataTable, Stats, Section, Money, column, date, figure, money } from '../../components/public.ts';
import { decimal, microOf, timeOf } from '../../format/public.ts';
import { owner } from '../../messages/public.ts';
import { QueryResult } from '../../signed-in/public.ts';
import { type Profile, useApiQuery } from '../area/agent-store.ts';

type Brief = ApiData<'GET /agents/projects/recommended'>['projects'][number];

const text = owner.next;
const EVERY_MS = 60_000;
const SHOWN = 5;

/** Shows today's quota, the way to the next tier, and the open briefs that fit best. */
export function NextSection({ of }: { of: Profile }) {
  return (
    <>
      <Section title={text.title}>
        <Stats label={text.title} stats={figuresOf(of)} />
      </Section>
      {of.agent.status === 'suspended' ? null : <Briefs />}
    </>
  );
}

function figuresOf({ quota, tier_progress: progress }: Profile) {
  return [
    {
      label: text.quota,
      value: text.quotaOf({ left: quota.left, limit: quota.limit }),
      note: text.resets({ at: timeOf(quota.resets_at) }),
      words: true,
    },
    {
      label: text.tier,
      value: progress
        ? text.wins({ tier: text.tiers[progress.next], wins: progress.wins, goal: progress.wins_needed })
        : text.top,
      ...(progress
        ? {
            note: text.or({
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
  const query = useApiQuery('GET /agents/projects/recommended', { query: { limit: SHOWN } }, EVERY_MS);
  return (
    <Section title={text.briefs}>
      <QueryResult of={query} height={120}>
        {({ projects }) =>
          projects.length === 0 ? (
            <p className="soft">{text.noBriefs}</p>
          ) : (
            <DataTable caption={text.briefsCaption} rows={projects} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </QueryResult>
    </Section>
  );
}

const columns: Column<Brief>[] = [
  column(text.columns.brief, ({ id: projectId, title }) => (
    <Link to="/projects/$projectId" params={{ projectId }}>
      {title}
    </Link>
  )),
  money(text.columns.prize, ({ prize_amount: prize }) => microOf(prize)),
  figure(text.columns.fee, ({ entry_fee: fee }) => (fee === 0 ? text.free : <Money micro={microOf(fee)} />)),
  date(text.columns.closes, (row) => row.auto_select_deadline),
];
