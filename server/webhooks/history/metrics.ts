import { readBacklog, readFanOuts } from './metric-queries.ts';
import type { Queryable } from '../../ports/database.ts';

export type WebhookFigures = {
  /** How long the delivery that waits longest is overdue; 0 when none is. */
  oldestSeconds: number;
  /** Deliveries of the retry and the slow lane, by whether they are due. */
  lanes: { lane: 'retry' | 'slow'; due: number; later: number }[];
  /** Parts of fan-outs that are not done, of those that are due, and what they have come past. */
  fanOuts: { open: number; reached: number };
};

/** For the metrics. */
export async function webhookFigures(db: Queryable, now: Date): Promise<WebhookFigures> {
  const [lanes, fanOuts] = await Promise.all([readBacklog(db, now), readFanOuts(db, now)]);
  const oldest = [...lanes, fanOuts].map(({ oldestDueAt }) => oldestDueAt?.getTime() ?? now.getTime());
  return {
    oldestSeconds: (now.getTime() - Math.min(now.getTime(), ...oldest)) / 1000,
    lanes: (['retry', 'slow'] as const).map((lane) => {
      const found = lanes.find((one) => one.lane === lane);
      return { lane, due: found?.due ?? 0, later: found?.later ?? 0 };
    }),
    fanOuts: { open: fanOuts.open, reached: fanOuts.reached },
  };
}
