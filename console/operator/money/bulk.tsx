import { Button } from '@mantine/core';
import { describeError } from '../../components/feedback/public.ts';
import { usdc } from '../../format/public.ts';
import { operatorDesk, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import classes from './money.module.css';

const text = operatorDesk.bulk;

export type BulkResult = { what: string; outcome: 'done' | 'failed'; note: string };

type Money = { id: string; amount_micro: number };

type Bulk<Row extends Money> = {
  /** The labels of the button and of the dialog, by the number of rows. */
  label: (values: { amount: number }) => string;
  title: (values: { amount: number }) => string;
  text: string;
  /** Exactly the rows that the button names, the dialog lists, and the act changes. */
  rows: readonly Row[];
  /** The sentences about what the act leaves out. */
  notes: readonly string[];
  nameOf: (row: Row) => string;
  act: (row: Row, reason: string) => Promise<string>;
};

export type BulkGiven = {
  ask: (action: Action) => void;
  /** Gets the result of each row. */
  onResults: (results: BulkResult[]) => void;
};

/** Acts on several rows. It appears if there is a row to act on. */
export function BulkButton<Row extends Money>({ ask, onResults, ...bulk }: Bulk<Row> & BulkGiven) {
  if (bulk.rows.length === 0) return null;
  return (
    <p className={classes.bulk}>
      <Button variant="default" size="xs" onClick={() => ask(bulkAction(bulk, onResults))}>
        {bulk.label({ amount: bulk.rows.length })}
      </Button>
    </p>
  );
}

/** One act for several rows, one after the other. Each row has its own result; a failure does not stop the others. */
function bulkAction<Row extends Money>(bulk: Bulk<Row>, onResults: (results: BulkResult[]) => void): Action {
  const { rows, nameOf, act, notes } = bulk;
  const sum = rows.reduce((total, { amount_micro: micro }) => total + micro, 0);
  return {
    title: bulk.title({ amount: rows.length }),
    text: (
      <div className={classes.dialog}>
        <p>{bulk.text}</p>
        <ul className={classes.listed} tabIndex={0} aria-label={text.rows}>
          {rows.map((row) => (
            <li key={row.id}>{nameOf(row)}</li>
          ))}
        </ul>
        <p>{text.total({ sum: usdc(sum) })}</p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    ),
    confirm: text.confirm,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const results: BulkResult[] = [];
      for (const row of rows) results.push({ what: nameOf(row), ...(await resultOf(act(row, reason))) });
      onResults(results);
      const amount = (outcome: BulkResult['outcome']) => results.filter((each) => each.outcome === outcome).length;
      return (['done', 'failed'] as const).map((each) => `${text.outcome[each]}: ${amount(each)}`).join(' · ');
    },
  };
}

async function resultOf(act: Promise<string>): Promise<Omit<BulkResult, 'what'>> {
  try {
    return { outcome: 'done', note: await act };
  } catch (error) {
    return { outcome: 'failed', note: describeError(error).text };
  }
}
