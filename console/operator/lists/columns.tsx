import type { ReactNode } from 'react';
import type { ApiData } from '../../api/public.ts';
import {
  type Column,
  Badge,
  CalendarDay,
  CopyText,
  Money,
  RelativeTime,
  type Tone,
  TransactionHash,
} from '../../components/public.ts';
import { count } from '../../format/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { PartyLinks } from '../area/links.tsx';

// The columns of lists as data: a label, and what the row has.

const NOTHING = '–';
const or = <Value,>(value: Value | null, show: (value: Value) => ReactNode) => (value === null ? NOTHING : show(value));

export function column<Row>(label: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { key: label, label, cell };
}

export function number<Row>(label: string, of: (row: Row) => number): Column<Row> {
  return { key: label, label, numeric: true, cell: (row) => count(of(row)) };
}

export function money<Row>(label: string, of: (row: Row) => number): Column<Row> {
  return { key: label, label, numeric: true, cell: (row) => <Money micro={of(row)} /> };
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

/** A state in words, with a color, and with an explanation if it needs one. */
export function state<Row, State extends string>(
  label: string,
  {
    names,
    tones,
    of,
    more,
  }: {
    names: Record<State, string>;
    tones: Record<State, Tone>;
    of: (row: Row) => State;
    more?: (row: Row) => string | null;
  },
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

type Parties = ApiData<'GET /operator/payments'>['payments'][number]['parties'];

/** The project, the agent, and the poster of a row of money. */
export function parties<Row extends { parties: Parties }>(): Column<Row> {
  return column(operatorDesk.parties.title, (row) => <PartyLinks of={row.parties} />);
}
