import { Link } from '@tanstack/react-router';
import type { ApiData } from '../api.ts';
import type { Column } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { shortHash, timeOf } from '../format.ts';
import { FilterBar, SearchField } from '../keyed/filter-bar.tsx';
import { PagedTable } from '../keyed/paged-table.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { operator } from '../messages/operator.ts';
import classes from './lists.module.css';
import { LIST_MS, usePages } from './own-service.ts';

type Line = ApiData<'GET /operator/audit'>['entries'][number];

const text = operator.audit;

export function AuditPage() {
  const { values, isFiltered, change, clear } = useFilters(['subject', 'action', 'actor']);
  const asked = usePages(
    'GET /operator/audit',
    { query: values },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  return (
    <Page title={text.title} lead={text.lead}>
      <FilterBar filtered={isFiltered} onClear={clear}>
        <SearchField
          label={text.subject}
          hint={text.subjectHint}
          value={values.subject}
          onChange={(value) => change('subject', value)}
        />
        <SearchField
          label={text.action}
          hint={text.actionHint}
          value={values.action}
          onChange={(value) => change('action', value)}
        />
        <SearchField
          label={text.actor}
          hint={text.actorHint}
          value={values.actor}
          onChange={(value) => change('actor', value)}
        />
      </FilterBar>
      <PagedTable
        asked={asked}
        empty={text.empty}
        filtered={isFiltered}
        caption={text.caption}
        columns={columns}
        rows={asked.data?.pages.flatMap(({ entries }) => entries) ?? []}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

const columns: Column<Line>[] = [
  {
    key: 'at',
    label: text.columns.at,
    cell: ({ at }) => (
      <time dateTime={at} className={classes.kind}>
        {timeOf(at)}
      </time>
    ),
  },
  { key: 'actor', label: text.columns.actor, cell: ({ actor }) => <Named value={actor} /> },
  { key: 'action', label: text.columns.action, cell: ({ action }) => <span className={classes.id}>{action}</span> },
  { key: 'subject', label: text.columns.subject, cell: ({ subject }) => <Subject subject={subject} /> },
  {
    key: 'reason',
    label: text.columns.reason,
    cell: ({ reason }) => <span className={classes.note}>{reason ?? text.none}</span>,
  },
  { key: 'details', label: text.columns.details, cell: ({ details }) => <Details of={details} /> },
];

/** `project:<id>` in few characters. */
function Named({ value }: { value: string }) {
  const [kind = '', id] = value.split(':');
  return (
    <span className={classes.id} title={value}>
      {id === undefined ? kind : `${kind}:${shortHash(id)}`}
    </span>
  );
}

function Subject({ subject }: { subject: string }) {
  const [kind, id = ''] = subject.split(':');
  if (kind === 'agent')
    return (
      <Link to="/operator/agents/$agentId" params={{ agentId: id }}>
        <Named value={subject} />
      </Link>
    );
  if (kind === 'project')
    return (
      <Link to="/operator/projects/$projectId" params={{ projectId: id }}>
        <Named value={subject} />
      </Link>
    );
  return <Named value={subject} />;
}

function Details({ of: details }: { of: Line['details'] }) {
  if (Object.keys(details).length === 0) return text.none;
  return (
    <details className={classes.details}>
      <summary>{text.details}</summary>
      <pre>{JSON.stringify(details, null, 2)}</pre>
    </details>
  );
}
