import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export type Column<Row> = {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts stand under each other. */
  numeric?: boolean;
};

export type DataTableProps<Row> = {
  /** What the table is; shown to screen readers, above the table when `showCaption`. */
  caption: string;
  showCaption?: boolean;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
};

// More columns than a phone is wide: there each row is a list of its own, every value under its name.
const MOST_ON_A_PHONE = 3;

/** A table that scrolls by itself where it is wider than its place, reachable by keyboard. The first column heads its row. */
export function DataTable<Row>({ caption, showCaption = false, columns, rows, rowKey }: DataTableProps<Row>) {
  const alignment = (column: Column<Row>) => (column.numeric ? classes.number : undefined);
  return (
    <div className={classes.frame} role="region" aria-label={caption} tabIndex={0}>
      {/* Said again, since what is laid out in another way is no table any more to some readers. */}
      <table className={classes.table} role="table" data-stacked={columns.length > MOST_ON_A_PHONE}>
        <caption className={showCaption ? classes.caption : 'only-read'}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} scope="col" role="columnheader" className={alignment(column)}>
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
                  <th key={column.key} scope="row" role="rowheader" className={alignment(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} role="cell" data-label={column.label} className={alignment(column)}>
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
