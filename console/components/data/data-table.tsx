import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for amounts and counts. */
  numeric?: boolean;
  /** A date, which gets room for at most two lines. */
  date?: boolean;
  /** Buttons, which stay in sight while the table scrolls. */
  acts?: boolean;
};

export type DataTableProps<Row> = {
  /** Names the table for screen readers; visible above the table if `showCaption` is set. */
  caption: string;
  showCaption?: boolean;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
};

// A phone has room for 3 columns. With more columns, each row becomes a list of labels and values.
const MOST_ON_A_PHONE = 3;

function classOf({ numeric, date, acts }: Pick<Column<never>, 'numeric' | 'date' | 'acts'>): string | undefined {
  if (acts) return classes.acts;
  if (date) return classes.date;
  return numeric ? classes.number : undefined;
}

/** A table in a region that scrolls horizontally and is reachable by keyboard. The first column is the row header. */
export function DataTable<Row>({ caption, showCaption = false, columns, rows, rowKey }: DataTableProps<Row>) {
  const isStacked = columns.length > MOST_ON_A_PHONE;
  return (
    <div className={`card ${classes.frame}`} role="region" aria-label={caption} tabIndex={0}>
      {/* Explicit roles: some screen readers drop the table semantics when CSS changes `display`. */}
      <table className={`${classes.table} ${isStacked ? classes.stacked : ''}`} role="table">
        <caption className={showCaption ? classes.caption : 'only-read'}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.label} scope="col" role="columnheader" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" role="rowheader" className={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.label} role="cell" data-label={column.label} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
