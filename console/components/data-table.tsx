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

/** A table that scrolls by itself where it is wider than its place, reachable by keyboard. The first column heads its row. */
export function DataTable<Row>({ caption, showCaption = false, columns, rows, rowKey }: DataTableProps<Row>) {
  const alignment = (column: Column<Row>) => (column.numeric ? classes.number : undefined);
  return (
    <div className={classes.frame} role="region" aria-label={caption} tabIndex={0}>
      <table className={classes.table}>
        <caption className={showCaption ? classes.caption : 'only-read'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={alignment(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" className={alignment(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={alignment(column)}>
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
