import { messages } from '../../messages/public.ts';
import { type ChartProps, fewValues } from './chart-data.ts';
import classes from './chart.module.css';
import { DataTable } from './data-table.tsx';
import { Plot } from './plot.tsx';

/** A chart, with the same numbers as a table that opens below it. A sentence says what a drawing of a few values would. */
export function Chart(props: ChartProps) {
  const { title, x, series, more = [] } = props;
  const few = fewValues(props);
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
      {few ? (
        few.map((line) => <p key={line}>{line}</p>)
      ) : (
        <div aria-hidden="true">
          <Plot {...props} />
        </div>
      )}
      {few && more.length === 0 ? null : (
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
