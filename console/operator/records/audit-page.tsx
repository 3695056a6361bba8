import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { RawText } from '../../components/values/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { named, Subject } from '../area/public.ts';
import { DAY_FILTERS, type Filter, ListTable, optionsOf } from '../lists/public.ts';
import classes from './records.module.css';

type Line = ApiData<'GET /operator/audit'>['entries'][number];

const text = operator.audit;

const FILTERS: Filter[] = [
  { name: 'subject', label: text.subject, hint: text.subjectHint },
  { name: 'action', label: text.action, options: optionsOf(text.actions) },
  { name: 'actor', label: text.actor, hint: text.actorHint },
  ...DAY_FILTERS,
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
  {
    key: 'actor',
    label: text.columns.actor,
    cell: ({ actor, actor_name: title }) => <Subject subject={actor} title={title} />,
  },
  {
    key: 'action',
    label: text.columns.action,
    cell: ({ action }) => <span title={action}>{named(text.actions, action)}</span>,
  },
  {
    key: 'subject',
    label: text.columns.subject,
    cell: ({ subject, subject_name: title }) => <Subject subject={subject} title={title} />,
  },
  {
    key: 'reason',
    label: text.columns.reason,
    cell: ({ reason }) => <span className={classes.note}>{reason ?? text.none}</span>,
  },
  { key: 'details', label: text.columns.details, cell: ({ details }) => <Details of={details} /> },
];

function Details({ of: details }: { of: Line['details'] }) {
  if (Object.keys(details).length === 0) return text.none;
  return (
    <details className={classes.details}>
      <summary>{text.details}</summary>
      <RawText>{JSON.stringify(details, null, 2)}</RawText>
    </details>
  );
}
