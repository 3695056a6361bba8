import type { ReactNode } from 'react';
import { count, timeOf } from '../../format/public.ts';
import { CopyText } from '../values/copy-text.tsx';
import { Money } from '../values/money.tsx';
import { CalendarDay, RelativeTime } from '../values/relative-time.tsx';
import { Badge, type Tone } from '../values/status-badge.tsx';
import { TransactionHash } from '../values/transaction-hash.tsx';
import type { Column } from './data-table.tsx';

// The columns of lists as data: a label, and what the row has.

const NOTHING = '–';
const or = <Value,>(value: Value | null, show: (value: Value) => ReactNode) => (value === null ? NOTHING : show(value));

export function column<Row>(label: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { label, cell };
}

export function figure<Row>(label: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { label, numeric: true, cell };
}

export function number<Row>(label: string, of: (row: Row) => number): Column<Row> {
  return figure(label, (row) => count(of(row)));
}

export function money<Row>(label: string, of: (row: Row) => number): Column<Row> {
  return figure(label, (row) => <Money micro={of(row)} />);
}

export function date<Row>(label: string, of: (row: Row) => string): Column<Row> {
  return { label, date: true, cell: (row) => timeOf(of(row)) };
}

export function time<Row>(label: string, of: (row: Row) => string | null): Column<Row> {
  return column(label, (row) => or(of(row), (at) => <RelativeTime at={at} />));
}

export function day<Row>(label: string, of: (row: Row) => string): Column<Row> {
  return column(label, (row) => <CalendarDay at={of(row)} />);
}

export function transaction<Row>(label: string, of: (row: Row) => string | null): Column<Row> {
  return column(label, (row) => or(of(row), (hash) => <TransactionHash hash={hash} />));
}

/** An address to copy. `what` names it for screen readers. */
export function address<Row>(label: string, what: string, of: (row: Row) => string | null): Column<Row> {
  return column(label, (row) => or(of(row), (value) => <CopyText value={value} what={what} />));
}

/** A longer text. */
export function note<Row>(label: string, of: (row: Row) => ReactNode): Column<Row> {
  return column(label, (row) => <span className="soft cell">{of(row) ?? NOTHING}</span>);
}

type State<Row, Value extends string> = {
  names: Record<Value, string>;
  tones: Record<Value, Tone>;
  of: (row: Row) => Value;
  more?: (row: Row) => string | null;
};

/** A state in words, with a color, and with an explanation if it needs one. */
export function state<Row, Value extends string>(
  label: string,
  { names, tones, of, more }: State<Row, Value>,
): Column<Row> {
  return column(label, (row) => {
    const explanation = more?.(row) ?? null;
    return (
      <span className="row">
        <Badge tone={tones[of(row)]}>{names[of(row)]}</Badge>
        {explanation === null ? null : <span className="soft cell">{explanation}</span>}
      </span>
    );
  });
}
