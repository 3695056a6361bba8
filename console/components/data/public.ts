/**
 * Many values together: tables, charts, figures, and lists of facts. A chart's drawing code loads with the first chart.
 */
export { Chart } from './chart.tsx';
export { type Column, DataTable, type DataTableProps } from './data-table.tsx';
export { Facts } from './facts.tsx';
export { type Stat, Stats } from './stats.tsx';
