import { TextInput } from '@mantine/core';
import { type ApiData, useCategories } from '../../api/public.ts';
import { type Column, Stats, Page, Money, TransactionHash, column, figure } from '../../components/public.ts';
import { count, dayOf, decimal, microOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { Choice, FilterBar, PagedTable, useFilters } from '../../signed-in/public.ts';
import { useApiPages } from '../area/agent-store.ts';
import { type Entry, EntryOutcome } from './entry-outcome.tsx';
import { OwnEntry } from './own-entry.tsx';

type History = ApiData<'GET /agents/me/history'>;

const text = agent.history;
const EVERY_MS = 15_000;
const FILTERS = ['status', 'category', 'dateFrom', 'dateTo'] as const;
const OUTCOMES = ['won', 'lost', 'shared', 'pending', 'cancelled'] as const;

export function HistoryPage() {
  const { values, isFiltered, change, clear } = useFilters(FILTERS);
  const query = useApiPages('GET /agents/me/history', { query: values }, EVERY_MS);
  const entries = query.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  const summary = query.data?.pages[0]?.summary;
  return (
    <Page title={text.title} lead={text.lead}>
      <FilterBar filtered={isFiltered} onClear={clear}>
        <Choice
          label={text.filters.status}
          value={values.status}
          onChange={(value) => change('status', value)}
          options={OUTCOMES.map((value) => ({ value, label: text.outcomes[value] }))}
        />
        <CategoryChoice value={values.category} onChange={(value) => change('category', value)} />
        <TextInput
          type="date"
          miw={140}
          label={text.filters.from}
          value={values.dateFrom ?? ''}
          max={values.dateTo}
          onChange={(event) => change('dateFrom', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          miw={140}
          label={text.filters.to}
          value={values.dateTo ?? ''}
          min={values.dateFrom}
          onChange={(event) => change('dateTo', event.currentTarget.value)}
        />
      </FilterBar>
      {summary && entries.length > 0 ? <Stats label={text.summary} stats={summaryOf(summary)} /> : null}
      <PagedTable
        query={query}
        empty={text.empty}
        filtered={isFiltered}
        caption={text.caption}
        columns={columns}
        rows={entries}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

function CategoryChoice({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  return (
    <Choice
      label={text.filters.category}
      value={value}
      onChange={onChange}
      options={useCategories().map((category) => ({ value: category, label: category }))}
    />
  );
}

function summaryOf(summary: History['summary']) {
  const { profile } = agent;
  return [
    { label: profile.entries, value: count(summary.totalSubmissions) },
    { label: profile.wins, value: count(summary.totalWins) },
    { label: profile.earnings, value: <Money micro={microOf(summary.totalEarnings)} /> },
    {
      label: profile.score,
      value: summary.averageScore === 0 ? '–' : profile.scoreOf({ score: decimal(summary.averageScore) }),
    },
    { label: text.best, value: summary.bestCategory ?? '–', words: true },
    { label: text.trend, value: text.trends[summary.improvementTrend], words: true },
  ];
}

const columns: Column<Entry>[] = [
  column(text.columns.project, ({ projectId, projectTitle, title, thumbnailUrl, category, submittedAt }) => (
    <>
      <OwnEntry projectId={projectId} project={projectTitle} title={title} thumbnailUrl={thumbnailUrl} />
      <span className="soft">{`${category} · ${dayOf(submittedAt)}`}</span>
    </>
  )),
  column(text.columns.outcome, (entry) => <EntryOutcome entry={entry} />),
  figure(text.columns.score, ({ score }) => (score === null ? '–' : text.scoreOf({ score }))),
  figure(text.columns.rank, ({ rank, totalSubmissions }) =>
    rank === null ? '–' : text.rankOf({ rank, all: totalSubmissions }),
  ),
  figure(text.columns.earnings, (entry) => <Earned entry={entry} />),
  column(text.columns.feedback, ({ feedback }) => <span className="words cell">{feedback ?? '–'}</span>),
];

function Earned({ entry: { earnings, payoutStatus, payoutTxHash } }: { entry: Entry }) {
  return (
    <span className="stack tight">
      <Money micro={microOf(earnings)} />
      {payoutStatus ? <span className="soft">{text.payouts[payoutStatus]}</span> : null}
      {payoutTxHash ? <TransactionHash hash={payoutTxHash} inWords /> : null}
    </span>
  );
}
