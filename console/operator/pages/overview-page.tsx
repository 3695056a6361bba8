import { NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Chart, type Stat, Stats, Columns, Page, Section, Money } from '../../components/public.ts';
import { count, decimal, microOf, shortUsdc, spanInWords, timeOf, utcDayOf } from '../../format/public.ts';
import { agent, messages, operator, operatorDesk } from '../../messages/public.ts';
import { QueryResult, useFilters } from '../../signed-in/public.ts';
import { LIST_MS, type Overview, useApiQuery } from '../area/operator-store.ts';
import { Attention } from './attention.tsx';
import { Books } from './books.tsx';
import classes from './pages.module.css';
import { Recovery } from './recovery.tsx';

const text = operator.overview;
const { business: words } = operatorDesk;
// Charts show USDC, because an axis of micro-USDC has no round numbers.
const MICRO = 1_000_000;
const SPANS = Object.entries(text.spans).map(([value, label]) => ({ value, label }));

/** The business, the money, the books, and what needs a decision. */
export function OverviewPage() {
  const { values, change } = useFilters(['days']);
  const days = SPANS.find(({ value }) => value === values.days)?.value ?? '30';
  const query = useApiQuery('GET /operator/overview', { query: { days } }, LIST_MS);
  return (
    <Page
      wide
      title={text.title}
      lead={query.data ? text.lead({ at: timeOf(query.data.at) }) : undefined}
      actions={
        <NativeSelect
          label={text.days}
          value={days}
          onChange={(event) => change('days', event.currentTarget.value)}
          data={SPANS}
        />
      }
    >
      <QueryResult of={query} height={600}>
        {(overview) => (
          <>
            <Attention of={overview} />
            {overview.recovery_needed === null ? null : <Recovery />}
            <Stats label={text.figures} stats={figuresOf(overview)} most={4} />
            <Volume of={overview.volume} />
            <Section title={words.title}>
              <Stats label={words.title} stats={businessOf(overview.business)} most={3} />
              <Registrations of={overview.business} />
            </Section>
            <div className={classes.below}>
              <Columns>
                <Books of={overview.ledger_check} />
                <People of={overview} />
              </Columns>
            </div>
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function figuresOf({ held, projects, volume }: Overview): Stat[] {
  const span = text.spans[String(volume.days.length) as keyof typeof text.spans];
  return [
    {
      label: text.escrow,
      value: <Money micro={held.escrow_micro} short />,
      note: text.escrowNote({ open: projects.open }),
    },
    { label: text.fees, value: <Money micro={held.fees_micro} short /> },
    { label: text.revenue, value: <Money micro={held.revenue_micro} short /> },
    { label: text.treasury, value: <Money micro={held.treasury_micro} short />, note: text.treasuryNote },
    ...(held.payable_micro > 0 ? [{ label: text.payable, value: <Money micro={held.payable_micro} short /> }] : []),
    ...(held.stray_micro > 0 ? [{ label: text.stray, value: <Money micro={held.stray_micro} short /> }] : []),
    { label: text.in, value: <Money micro={volume.in_micro} short />, note: span },
    { label: text.out, value: <Money micro={volume.out_micro} short />, note: span },
  ];
}

function businessOf({ median_seconds: seconds, ...of }: Overview['business']): Stat[] {
  return [
    { label: words.published, value: count(of.published), note: words.entered({ amount: of.entered }) },
    {
      label: words.perBrief,
      value: of.published === 0 ? words.none : decimal(of.entries / of.published),
      note: words.entries({ amount: of.entries }),
    },
    {
      label: words.choice,
      value: seconds === null ? words.none : spanInWords(seconds * 1000),
      note: seconds === null ? words.tooFew : words.byPoster({ chosen: of.by_poster, awarded: of.awarded }),
      words: true,
    },
  ];
}

function Volume({ of: { days } }: { of: Overview['volume'] }) {
  const of = (label: string, name: `${string}_micro` & keyof (typeof days)[number]) => ({
    label,
    values: days.map((day) => day[name] / MICRO),
    format: (amountUsdc: number) => shortUsdc(microOf(amountUsdc)),
  });
  return (
    <Chart
      title={text.volume}
      kind="bars"
      x={{ label: text.day, values: days.map(({ date }) => date), format: utcDayOf }}
      series={[of(text.in, 'in_micro'), of(text.out, 'out_micro')]}
      more={[
        of(text.detail.prizes, 'prizes_micro'),
        of(text.detail.fees, 'entry_fees_micro'),
        of(text.detail.payouts, 'payouts_micro'),
        of(text.detail.refunds, 'refunds_micro'),
        { label: text.detail.payments, values: days.map(({ payments }) => payments), format: count },
      ]}
    />
  );
}

function Registrations({ of: { registrations: days } }: { of: Overview['business'] }) {
  return (
    <Chart
      title={words.registrations}
      kind="bars"
      x={{ label: words.day, values: days.map(({ date }) => date), format: utcDayOf }}
      series={[
        { label: words.agents, values: days.map(({ agents }) => agents), format: count },
        { label: words.posters, values: days.map(({ posters }) => posters), format: count },
      ]}
    />
  );
}

/** The payouts that are owed, agents, and projects by their states, each with a link to its list. */
function People({ of: { payouts, agents, projects } }: { of: Overview }) {
  const owed = Object.fromEntries(payouts.map(({ state, count: amount }) => [state, amount]));
  return (
    <Section title={operatorDesk.states}>
      <Counts caption={text.payouts} to="/operator/money/payouts" counts={owed} names={operator.payouts.states} />
      <Counts caption={text.agents} to="/operator/people" counts={agents} names={agent.statuses} />
      <Counts caption={text.projects} to="/operator/projects" counts={projects} names={messages.status} />
    </Section>
  );
}

type CountsProps = { caption: string; to: string; counts: Record<string, number>; names: Record<string, string> };

function Counts({ caption, to, counts, names }: CountsProps) {
  const states = Object.entries(counts);
  return (
    <div className="stack">
      <h3 className="sub">{caption}</h3>
      {states.length === 0 ? <p className="soft">{text.noPayouts}</p> : null}
      <ul className={`card ${classes.counts}`}>
        {states.map(([state, amount]) => (
          <li key={state}>
            <Link to={to} search={{ state }} className="row ends">
              <span>{names[state] ?? state}</span>
              <span className="tabular">{count(amount)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
