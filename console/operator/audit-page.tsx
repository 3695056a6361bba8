import { Link } from '@tanstack/react-router';
import type { ApiData } from '../api.ts';
import type { Column } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { shortHash, timeOf } from '../format.ts';
import { Raw } from '../keyed/raw.tsx';
import { operator } from '../messages/operator.ts';
import { type Filter, ListTable } from './list.tsx';
import classes from './lists.module.css';

type Line = ApiData<'GET /operator/audit'>['entries'][number];

const text = operator.audit;

const FILTERS: Filter[] = [
  { name: 'subject', label: text.subject, hint: text.subjectHint },
  { name: 'action', label: text.action, hint: text.actionHint },
  { name: 'actor', label: text.actor, hint: text.actorHint },
];

export function AuditPage() {
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/audit"
        filters={FILTERS}
        rowsOf={({ entries }) => entries}
        text={text}
        columns={columns}
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
      <Raw>{JSON.stringify(details, null, 2)}</Raw>
    </details>
  );
}
