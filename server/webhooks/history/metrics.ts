import { readBacklog, readFanOuts } from './metric-queries.ts';
import type { Queryable } from '../../ports/database.ts';

export type WebhookMetrics = {
  /** How long the oldest due delivery has been overdue; 0 without one. */
  oldestSeconds: number;
  /** Waiting deliveries by lane, due now or later. */
  lanes: { lane: 'retry' | 'slow'; due: number; later: number }[];
  /** Parts of fan-outs that are due and not done, and how many subscriptions they have passed. */
  fanOuts: { open: number; reached: number };
};

/** Reads the metrics of the queue from the database. */
export async function webhookMetrics(db: Queryable, now: Date): Promise<WebhookMetrics> {
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
