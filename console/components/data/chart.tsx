import { messages } from '../../messages/public.ts';
import classes from './chart.module.css';
import { DataTable } from './data-table.tsx';
import { type ChartProps, Plot } from './plot.tsx';

/** A chart, with the same numbers as a table that opens below it. */
export function Chart(props: ChartProps) {
  const { title, x, series, more = [] } = props;
  // A chart of zeros alone is empty.
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  const rows = x.values.map((value, index) => ({ value, index }));
  const columns = [
    { label: x.label, cell: (row: (typeof rows)[number]) => (x.format ?? String)(row.value) },
    ...[...series, ...more].map(({ label, values, format = String }) => ({
      label,
      numeric: true,
      cell: (row: (typeof rows)[number]) => {
        const value = values[row.index] ?? null;
        return value === null ? '–' : format(value);
      },
    })),
  ];
  return (
    <figure className={`card stack ${classes.figure}`}>
      <figcaption className="strong">{title}</figcaption>
      {isEmpty ? (
        <p>{messages.chart.none}</p>
      ) : (
        <div aria-hidden="true">
          <Plot {...props} />
        </div>
      )}
      {isEmpty && more.length === 0 ? null : (
        <details className={`small ${classes.table}`}>
          <summary>{messages.table.show}</summary>
          <DataTable
            caption={messages.table.of({ title })}
            columns={columns}
            rows={rows}
            rowKey={(row) => String(row.index)}
          />
        </details>
      )}
    </figure>
  );
}
