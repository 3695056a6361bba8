import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, CalendarDay, CopyText } from '../../components/values/public.ts';
import { count } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { DAY_FILTERS, type Filter, ListTable, optionsOf } from '../lists/public.ts';
import classes from './posters-page.module.css';

type Poster = ApiData<'GET /operator/posters'>['posters'][number];

const text = operatorDesk.posters;
const FILTERS: Filter[] = [
  { name: 'search', label: text.search, hint: text.searchHint },
  { name: 'status', label: text.status, options: optionsOf(text.statuses) },
  ...DAY_FILTERS,
];

export function PostersPage() {
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/posters"
        filters={FILTERS}
        rowsOf={({ posters }) => posters}
        text={text}
        columns={columns}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

const columns: Column<Poster>[] = [
  {
    key: 'name',
    label: text.columns.name,
    cell: ({ id: posterId, name }) => (
      <Link to="/operator/posters/$posterId" params={{ posterId }} className={classes.url}>
        {name}
      </Link>
    ),
  },
  {
    key: 'status',
    label: text.columns.status,
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{text.statuses[status]}</Badge>,
  },
  { key: 'projects', label: text.columns.projects, numeric: true, cell: (row) => count(row.projects) },
  {
    key: 'wallet',
    label: text.columns.wallet,
    cell: ({ wallet_address: wallet }) =>
      wallet === null ? text.none : <CopyText value={wallet} what={text.wallet} />,
  },
  { key: 'since', label: text.columns.since, cell: (row) => <CalendarDay at={row.created_at} /> },
];
