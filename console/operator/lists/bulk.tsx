import { describeError } from '../../components/public.ts';
import { usdc } from '../../format/public.ts';
import { operatorDesk, signedIn } from '../../messages/public.ts';
import type { Act } from '../area/acts.tsx';
import classes from './desk-list.module.css';

const text = operatorDesk.bulk;

/** The first act on rows of money, for several rows at once: labels by the number of rows. */
export type Bulk<Row> = {
  isFor: (row: Row) => boolean;
  label: (values: { amount: number }) => string;
  title: (values: { amount: number }) => string;
  text: string;
  nameOf: (row: Row) => string;
  microOf: (row: Row) => number;
};

/** One act for several rows, one after the other, each with its own result. A failure does not stop the others. */
export function bulkAct<Row>(
  bulk: Bulk<Row>,
  { rows, hasMore, actsOn }: { rows: readonly Row[]; hasMore: boolean; actsOn: (row: Row) => Act[] },
): Act {
  const sum = rows.reduce((total, row) => total + bulk.microOf(row), 0);
  return {
    label: bulk.label({ amount: rows.length }),
    title: bulk.title({ amount: rows.length }),
    text: (
      <div className="stack">
        <p>{bulk.text}</p>
        <ul className={`bullets ${classes.listed}`} tabIndex={0} aria-label={text.rows}>
          {rows.map((row, index) => (
            <li key={index}>{bulk.nameOf(row)}</li>
          ))}
        </ul>
        <p>{text.total({ sum: usdc(sum) })}</p>
        {hasMore ? <p>{text.more}</p> : null}
      </div>
    ),
    confirm: text.confirm,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason, fields) => {
      const failures: string[] = [];
      for (const row of rows)
        await actsOn(row)[0]
          ?.run(reason, fields)
          .catch((error: unknown) => failures.push(`${bulk.nameOf(row)}: ${describeError(error).text}`));
      const done = rows.length - failures.length;
      const summary = [text.summary({ done, failed: failures.length }), ...failures].join(' ');
      return failures.length === 0 ? summary : { tone: 'warn', text: summary };
    },
  };
}
