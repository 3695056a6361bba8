import { describeError } from '../../components/feedback/public.ts';
import { Cancelled } from '../../api/public.ts';
import { operatorDesk, signedIn } from '../../messages/public.ts';
import { type Action, Postponed } from '../../signed-in/public.ts';
import classes from './money.module.css';

const text = operatorDesk.bulk;

export type BulkResult = { what: string; outcome: keyof typeof text.outcome; note: string };

type Bulk<Row> = {
  title: string;
  text: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  act: (row: Row, reason: string) => Promise<string>;
  onResults: (results: BulkResult[]) => void;
};

/** One act for several rows, one after the other. Each row has its own result; a failure does not stop the others. */
export function bulkAction<Row>({ rows, nameOf, act, onResults, ...bulk }: Bulk<Row>): Action {
  return {
    title: bulk.title,
    text: (
      <div className={classes.dialog}>
        <p>{bulk.text}</p>
        <ul className={classes.problems}>
          {rows.map((row, index) => (
            <li key={`${String(index)} ${nameOf(row)}`}>{nameOf(row)}</li>
          ))}
        </ul>
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
      return text.done({ done: amount('done'), waits: amount('waits'), failed: amount('failed') });
    },
  };
}

async function resultOf(act: Promise<string>): Promise<Omit<BulkResult, 'what'>> {
  try {
    return { outcome: 'done', note: await act };
  } catch (error) {
    if (error instanceof Postponed) return { outcome: 'waits', note: error.message };
    // Without a code, no further row can succeed.
    if (error instanceof Cancelled) throw error;
    return { outcome: 'failed', note: describeError(error).text };
  }
}
