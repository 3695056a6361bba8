import { useMemo } from 'react';
import type { ApiData } from '../../api/public.ts';
import { Chart, type Stat, Stats } from '../../components/data/public.ts';
import { Section } from '../../components/layout/public.ts';
import { count, decimal, spanInWords, utcDayOf } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { QueryResult } from '../../signed-in/public.ts';
import { useApiQuery } from '../area/public.ts';

type Figures = ApiData<'GET /operator/business'>;

const text = operatorDesk.business;
const EVERY_MS = 60_000;

/** Take-up, time to choose, and registrations. */
export function Business({ days }: { days: string }) {
  const query = useApiQuery('GET /operator/business', { query: { days } }, EVERY_MS);
  return (
    <Section title={text.title}>
      <QueryResult of={query} height={240}>
        {(figures) => (
          <>
            <Stats label={text.title} stats={statsOf(figures)} most={3} />
            <Registrations rows={figures.registrations} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function statsOf({ take_up: taken, choice }: Figures): Stat[] {
  const { median_seconds: seconds } = choice;
  return [
    { label: text.published, value: count(taken.projects), note: text.entered({ amount: taken.entered }) },
    {
      label: text.perBrief,
      value: taken.projects === 0 ? text.none : decimal(taken.entries / taken.projects),
      note: text.entries({ amount: taken.entries }),
    },
    {
      label: text.choice,
      value: seconds === null ? text.none : spanInWords(seconds * 1000),
      note: seconds === null ? text.tooFew : text.byPoster({ chosen: choice.by_poster, awarded: choice.awarded }),
      words: true,
    },
  ];
}

function Registrations({ rows }: { rows: Figures['registrations'] }) {
  // Each refetch creates new arrays. Compare their content, because the plot redraws when its arrays change.
  const key = JSON.stringify(rows);
  const [x, series] = useMemo(() => {
    const shown = JSON.parse(key) as typeof rows;
    return [
      { label: text.day, values: shown.map(({ date }) => date), format: utcDayOf },
      [
        { label: text.agents, values: shown.map(({ agents }) => agents), format: count },
        { label: text.posters, values: shown.map(({ posters }) => posters), format: count },
      ],
    ];
  }, [key]);
  return <Chart title={text.registrations} kind="bars" x={x} series={series} />;
}
