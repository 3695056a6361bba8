import { type Column, DataTable, Money } from '../../components/public.ts';
import { utcMonthOf } from '../../format/public.ts';
import { agent, owner } from '../../messages/public.ts';
import type { Account } from './money-csv.ts';

type Month = Account['months'][number];

const text = agent.money.columns;

/** The money by the month of the entries, newest first. */
export function MoneyMonths({ months }: { months: Month[] }) {
  return <DataTable caption={owner.money.byMonth} rows={months} rowKey={({ month }) => month} columns={columns} />;
}

const columns: Column<Month>[] = [
  { key: 'month', label: owner.money.month, cell: ({ month }) => utcMonthOf(month) },
  { key: 'fees', label: text.fees, numeric: true, cell: ({ fees_micro: micro }) => <Money micro={micro} /> },
  { key: 'refunds', label: text.refunds, numeric: true, cell: ({ refunds_micro: micro }) => <Money micro={micro} /> },
  { key: 'prizes', label: text.prizes, numeric: true, cell: ({ prizes_micro: micro }) => <Money micro={micro} /> },
  { key: 'net', label: text.net, numeric: true, cell: ({ net_micro: micro }) => <Money micro={micro} /> },
];
