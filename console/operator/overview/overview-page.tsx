import { NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Chart, type Stat, Stats } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Money } from '../../components/values/public.ts';
import { count, microOf, shortUsdc, timeOf, utcDayOf } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { QueryResult, useFilters } from '../../signed-in/public.ts';
import { type Overview, useApiQuery } from '../area/public.ts';
import { Attention } from './attention.tsx';
import { LedgerCheck } from './ledger-check.tsx';
import classes from './overview-page.module.css';
import { Business } from './business.tsx';
import { Owed, People } from './overview-sections.tsx';

const text = operator.overview;
const EVERY_MS = 10_000;
// Charts show USDC, because an axis of micro-USDC has no round numbers.
const MICRO = 1_000_000;
const SPANS = Object.entries(text.spans).map(([value, label]) => ({ value, label }));

export function OverviewPage() {
  const { values, change } = useFilters(['days']);
  const days = SPANS.find(({ value }) => value === values.days)?.value ?? '30';
  const query = useApiQuery('GET /operator/overview', { query: { days } }, EVERY_MS);
  return (
    <Page
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
            <Stats label={text.figures} stats={figuresOf(overview)} most={4} />
            <Volume of={overview.volume} />
            <Business days={days} />
            <div className={classes.columns}>
              <div>
                <LedgerCheck of={overview.ledger_check} />
              </div>
              <div>
                <Owed of={overview.payouts} />
                <People of={overview} />
              </div>
            </div>
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function figuresOf({ held, projects, payments, volume }: Overview): Stat[] {
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
    { label: text.in, value: <Money micro={volume.in_micro} short />, note: spanOf(volume) },
    { label: text.out, value: <Money micro={volume.out_micro} short />, note: spanOf(volume) },
    unknownOf(payments),
  ];
}

function unknownOf({ unknown }: Overview['payments']): Stat {
  const label = text.unknown;
  if (unknown === 0) return { label, value: '0', note: text.noUnknown };
  return { label, value: count(unknown), note: <Link to="/operator/payments">{text.unknownNote}</Link>, tone: 'warn' };
}

function spanOf({ days }: Overview['volume']): string {
  return text.spans[String(days.length) as keyof typeof text.spans];
}

function Volume({ of: { days } }: { of: Overview['volume'] }) {
  // Each refetch creates new arrays. Compare their content, because the plot redraws when its arrays change.
  const key = JSON.stringify(days);
  const [x, series, more] = useMemo(() => {
    const shown = JSON.parse(key) as Overview['volume']['days'];
    const of = (label: string, name: `${string}_micro` & keyof (typeof shown)[number]) => ({
      label,
      values: shown.map((day) => day[name] / MICRO),
      format: (amountUsdc: number) => shortUsdc(microOf(amountUsdc)),
    });
    return [
      { label: text.day, values: shown.map(({ date }) => date), format: utcDayOf },
      [of(text.in, 'in_micro'), of(text.out, 'out_micro')],
      [
        of(text.detail.prizes, 'prizes_micro'),
        of(text.detail.fees, 'entry_fees_micro'),
        of(text.detail.payouts, 'payouts_micro'),
        of(text.detail.refunds, 'refunds_micro'),
        { label: text.detail.payments, values: shown.map(({ payments }) => payments), format: count },
      ],
    ];
  }, [key]);
  return <Chart title={text.volume} kind="bars" x={x} series={series} more={more} />;
}
