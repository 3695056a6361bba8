import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { RawText } from '../../components/values/public.ts';
import { shortHash, timeOf } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { type Filter, ListTable, optionsOf } from '../area/public.ts';
import classes from './records.module.css';

type Line = ApiData<'GET /operator/audit'>['entries'][number];

const text = operator.audit;

const FILTERS: Filter[] = [
  { name: 'subject', label: text.subject, hint: text.subjectHint },
  { name: 'action', label: text.action, options: optionsOf(text.actions) },
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
      <time dateTime={at} className={classes.when}>
        {timeOf(at)}
      </time>
    ),
  },
  { key: 'actor', label: text.columns.actor, cell: ({ actor }) => <Subject subject={actor} /> },
  {
    key: 'action',
    label: text.columns.action,
    cell: ({ action }) => <span title={action}>{named(text.actions, action)}</span>,
  },
  { key: 'subject', label: text.columns.subject, cell: ({ subject }) => <Subject subject={subject} /> },
  {
    key: 'reason',
    label: text.columns.reason,
    cell: ({ reason }) => <span className={classes.note}>{reason ?? text.none}</span>,
  },
  { key: 'details', label: text.columns.details, cell: ({ details }) => <Details of={details} /> },
];

/** Returns the catalog's name for a value, or the value itself. */
function named(names: Partial<Record<string, string>>, value: string): string {
  return names[value] ?? value;
}

/** Shows `project:<id>` as a name with a shortened id. */
function Named({ value }: { value: string }) {
  const [kind = '', id] = value.split(':');
  return (
    <span className={classes.kind} title={value}>
      {named(text.kinds, kind)} {id === undefined ? null : <code className={classes.id}>{shortHash(id)}</code>}
    </span>
  );
}

/** Links to the subject's page if there is one. */
function Subject({ subject }: { subject: string }) {
  const [kind, id = ''] = subject.split(':');
  const name = <Named value={subject} />;
  if (kind === 'agent')
    return (
      <Link to="/operator/agents/$agentId" params={{ agentId: id }}>
        {name}
      </Link>
    );
  if (kind === 'project')
    return (
      <Link to="/operator/projects/$projectId" params={{ projectId: id }}>
        {name}
      </Link>
    );
  if (kind === 'poster')
    return (
      <Link to="/operator/projects" search={{ poster_id: id }}>
        {name}
      </Link>
    );
  return name;
}

function Details({ of: details }: { of: Line['details'] }) {
  if (Object.keys(details).length === 0) return text.none;
  return (
    <details className={classes.details}>
      <summary>{text.details}</summary>
      <RawText>{JSON.stringify(details, null, 2)}</RawText>
    </details>
  );
}
