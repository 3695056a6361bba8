import { DataTable } from '../../components/data/public.ts';
import { Section } from '../../components/layout/public.ts';
import { Badge, type Tone } from '../../components/values/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import type { BulkResult } from './bulk.tsx';
import classes from './money.module.css';

const text = operatorDesk.bulk;
const TONES: Record<BulkResult['outcome'], Tone> = { done: 'good', failed: 'bad' };

/** Shows the result of each row. */
export function BulkResults({ of: results }: { of: readonly BulkResult[] }) {
  if (results.length === 0) return null;
  const rows = results.map((result, index) => ({ ...result, index }));
  return (
    <Section title={text.result}>
      <DataTable
        caption={text.result}
        rows={rows}
        rowKey={({ index }) => String(index)}
        columns={[
          { key: 'what', label: text.columns.what, cell: ({ what }) => what },
          {
            key: 'outcome',
            label: text.columns.outcome,
            cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{text.outcome[outcome]}</Badge>,
          },
          { key: 'note', label: text.columns.note, cell: ({ note }) => <span className={classes.note}>{note}</span> },
        ]}
      />
    </Section>
  );
}
